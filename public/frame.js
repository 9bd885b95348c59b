// The first paint: the frame of /crm and the page's title, before the app's own scripts are here. Only on a device where somebody is
// signed in (src/web/lib/first-frame.ts); React takes it away with its first rendering. A file of its own, as the CSP allows no inline script.
;(() => {
  // Where buttons stand beside a title, its line is as high as they are: on the phone only, or always.
  const pages = {
    '/crm/overview': { title: 'Dashboard Overview' },
    '/crm/deals': { title: 'Deals Pipeline', actions: 'phone' },
    '/crm/contacts': { title: 'Contacts', actions: 'always' },
    '/crm/companies': { title: 'Companies', actions: 'always' },
    '/crm/tasks': { title: 'Tasks', actions: 'always' },
    '/crm/settings': { title: 'Settings' },
  }
  const frame = document.getElementById('frame')
  const title = frame?.querySelector('h1')
  if (!title || !location.pathname.startsWith('/crm')) return
  try {
    if (localStorage.getItem('banyan-frame') === null) return
  } catch {
    // Storage can be forbidden; then the first paint is the app's.
    return
  }
  const page = pages[location.pathname]
  if (page) title.textContent = page.title
  if (page?.actions) title.parentElement.dataset.actions = page.actions
  frame.hidden = false

  // What the build says of each page (scripts/page-parts.ts): asked for now, not after the first script has run; the paint goes first.
  const parts = JSON.parse(frame.dataset.parts ?? '{}')
  const preload = () => {
    for (const part of [...(parts.frame ?? []), ...(parts[location.pathname.split('/')[2]] ?? [])]) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.href = `/assets/${part}.js`
      document.head.append(link)
    }
  }
  requestAnimationFrame(() => setTimeout(preload, 0))
})()
