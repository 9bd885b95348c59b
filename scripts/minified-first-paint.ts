import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { minify, type Plugin } from 'vite'

/** Minifies first-paint.js in the folder of the build: every page loads it before it can be shown. Vite copies files of `public` unchanged. */
export const minifiedFirstPaint: Plugin = {
  name: 'minified-first-paint',
  apply: 'build',
  async writeBundle({ dir = '' }) {
    const file = join(dir, 'first-paint.js')
    const { code, errors } = await minify(file, readFileSync(file, 'utf8'))
    if (errors.length > 0) throw new Error(`${file} cannot be minified: ${errors[0]?.message}`)
    writeFileSync(file, code)
  },
}
