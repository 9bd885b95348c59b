// Before the first paint: the theme that was chosen on this device, else the system's. A file of its own, as the CSP allows no inline script.
;(() => {
  let choice = 'system'
  try {
    choice = localStorage.getItem('banyan-theme') || 'system'
  } catch {
    // Storage can be forbidden; the system's theme is right then.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  const colour = document.querySelector('meta[name="theme-color"]')
  if (colour) colour.content = dark ? '#0c1010' : '#fbfcfb'
})()
