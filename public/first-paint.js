// Before the app's own scripts are here: the theme, and on a device where somebody is signed in the frame of /crm with the page's title.
// A file of its own, as the CSP allows no inline script.
;(() => {
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage can be forbidden: the system's theme is right then, and the first paint is the app's.
      return null
    }
  }

  // What was chosen on this device, else the system's (src/web/lib/theme.ts).
  const choice = stored('banyan-theme') ?? 'system'
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  const colour = document.querySelector('meta[name="theme-color"]')
  if (colour) colour.content = dark ? '#0c1010' : '#fbfcfb'

  // Where buttons stand beside a title, its line is as high as they are: on the phone only, or always.
  const pages = {
    '/crm/overview': { title: 'Dashboard Overview' },
    '/crm/deals': { title: 'Deals Pipeline', actions: 'phone' },
    '/crm/contacts': { title: 'Contacts', actions: 'always' },
    '/crm/companies': { title: 'Companies', actions: 'always' },
    '/crm/tasks': { title: 'Tasks', actions: 'always' },
    '/crm/settings': { title: 'Settings' },
  }

  // React takes the frame away with its first rendering; whether somebody is signed in, src/web/lib/first-frame.ts notes.
  const show = () => {
    const frame = document.getElementById('frame')
    const title = frame?.querySelector('h1')
    if (!title) return
    const page = pages[location.pathname]
    if (page) title.textContent = page.title
    if (page?.actions) title.parentElement.dataset.actions = page.actions
    frame.hidden = false
    requestAnimationFrame(() => setTimeout(preload, 0, JSON.parse(frame.dataset.parts ?? '{}')))
  }

  // What the build says of each page (scripts/page-parts.ts): asked for now, not after the first script has run; the paint goes first.
  const preload = (parts) => {
    for (const part of [...(parts.frame ?? []), ...(parts[location.pathname.split('/')[2]] ?? [])]) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = `/assets/${part}.js`
      document.head.append(link)
    }
  }

  // The document has been read then, and no module has run yet.
  if (location.pathname.startsWith('/crm') && stored('banyan-frame') !== null)
    document.addEventListener('readystatechange', show, { once: true })
})()
