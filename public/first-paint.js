// Runs before the scripts of the app are loaded. Sets the theme. If somebody is signed in on this device, it also shows the frame of /crm with the
// page's title. It is a file because the content security policy allows no inline script.
;(() => {
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      // The browser may forbid storage. Then the theme is the system's, and the frame is not shown.
      return null
    }
  }

  // The theme that was chosen on this device (src/web/lib/theme.ts), otherwise the system's.
  const choice = stored('banyan-theme') ?? 'system'
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  const colour = document.querySelector('meta[name="theme-color"]')
  if (colour) colour.content = dark ? '#0c1010' : '#fbfcfb'

  // `actions`: the page has buttons beside its title, always or on the phone only. Then the title's line is as high as the buttons.
  const pages = {
    '/crm/overview': { title: 'Dashboard Overview' },
    '/crm/deals': { title: 'Deals Pipeline', actions: 'phone' },
    '/crm/contacts': { title: 'Contacts', actions: 'always' },
    '/crm/companies': { title: 'Companies', actions: 'always' },
    '/crm/tasks': { title: 'Tasks', actions: 'always' },
    '/crm/settings': { title: 'Settings' },
  }

  // Shows the frame. React replaces it with its first render.
  const show = () => {
    const frame = document.getElementById('frame')
    const title = frame?.querySelector('h1')
    if (!title) return
    const page = pages[location.pathname]
    if (page) title.textContent = page.title
    if (page?.actions) title.parentElement.dataset.actions = page.actions
    frame.hidden = false
    requestAnimationFrame(() => setTimeout(preload, 0, JSON.parse(frame.dataset.files ?? '{}')))
  }

  // Requests the files of the page after the frame was painted, and before the app's first script runs. `files`: see scripts/page-files.ts.
  const preload = (files) => {
    for (const file of [...(files.frame ?? []), ...(files[location.pathname.split('/')[2]] ?? [])]) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = `/assets/${file}.js`
      document.head.append(link)
    }
  }

  // src/web/lib/first-frame.ts stores 'banyan-frame' while somebody is signed in. At the first 'readystatechange' the whole document has been parsed,
  // and no module has run yet.
  if (location.pathname.startsWith('/crm') && stored('banyan-frame') !== null)
    document.addEventListener('readystatechange', show, { once: true })
})()
