/**
 * Draws the app's icons from the logo into public/ and index.html. Run it after the logo or its colours have changed,
 * and commit the result.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { markPath, smallMarkPath } from '#web/ui/mark.tsx'

const publicFolder = fileURLToPath(new URL('../public', import.meta.url))
const canopyColor = '#005e5b'
const darkCanopyColor = '#75d0ca'

const icons = [
  { file: 'favicon-32.png', size: 32, svg: bareLogo(smallMarkPath, canopyColor) },
  { file: 'apple-touch-icon.png', size: 180, svg: logoTile({ share: 0.62, radius: 0 }) },
  { file: 'icon-192.png', size: 192, svg: logoTile({ share: 0.62, radius: 0.22 }) },
  { file: 'icon-512.png', size: 512, svg: logoTile({ share: 0.62, radius: 0.22 }) },
  { file: 'icon-maskable-512.png', size: 512, svg: logoTile({ share: 0.54, radius: 0 }) },
  { file: 'icon-monochrome-512.png', size: 512, svg: logoTile({ share: 0.54, radius: 0, fill: 'none', mark: '#000' }) },
]

// The favicon is a data URL inside index.html, because a separate request would delay the page's scripts.
const favicon = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><style>path{fill:${canopyColor}}@media(prefers-color-scheme:dark){path{fill:${darkCanopyColor}}}</style><path d='${smallMarkPath}'/></svg>`
const faviconUrl = favicon.replaceAll('#', '%23').replaceAll('<', '%3C').replaceAll('>', '%3E')
const indexFile = fileURLToPath(new URL('../index.html', import.meta.url))
writeFileSync(
  indexFile,
  readFileSync(indexFile, 'utf8').replace(/data:image\/svg\+xml,[^"]*/, () => `data:image/svg+xml,${faviconUrl}`),
)
writeFileSync(join(publicFolder, 'icon.svg'), `${logoTile({ share: 0.62, radius: 0.22 })}\n`)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const page = await browser.newPage()
for (const { file, size, svg } of icons) {
  await page.setViewportSize({ width: size, height: size })
  const image = `data:image/svg+xml,${encodeURIComponent(svg)}`
  await page.setContent(
    `<style>body{margin:0}img{display:block}</style><img src="${image}" width="${size}" height="${size}">`,
  )
  await page.screenshot({ path: join(publicFolder, file), omitBackground: true })
}
await browser.close()

function bareLogo(path: string, fill: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="${fill}" d="${path}"/></svg>`
}

/** Returns the logo on a tile. `share`, `radius`: width of the logo and radius of the corners, both relative to the width of the tile. */
function logoTile(options: { share: number; radius: number; fill?: string; mark?: string }): string {
  const { share, radius, fill = canopyColor, mark = '#fff' } = options
  const scale = (share * 512) / 22
  const offset = 256 - 12 * scale
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" rx="${512 * radius}" fill="${fill}"/><path fill="${mark}" transform="translate(${offset.toFixed(3)} ${offset.toFixed(3)}) scale(${scale.toFixed(4)})" d="${markPath}"/></svg>`
}
