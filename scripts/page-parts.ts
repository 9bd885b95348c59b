import { basename } from 'node:path'
import type { Plugin } from 'vite'

type Bundle = NonNullable<Parameters<Extract<Plugin['generateBundle'], (...args: never[]) => unknown>>[1]>

/**
 * Writes the files that each page of /crm needs into index.html, as the attribute `data-parts` of the element with id 'frame'.
 * If somebody is signed in, public/first-paint.js fetches these files before the app's first script runs. The key `frame`
 * lists the files of src/web/pages/crm.tsx, which every page needs.
 */
export const pageParts: Plugin = {
  name: 'page-parts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const parts = bundle ? partsOf(bundle) : {}
      const marked = html.replace('id="frame"', () => `id="frame" data-parts='${JSON.stringify(parts)}'`)
      if (marked === html) throw new Error('index.html has no element with id="frame".')
      return marked
    },
  },
}

const pages = ['overview', 'deals', 'contacts', 'companies', 'tasks', 'settings']

function partsOf(bundle: Bundle): Record<string, string[]> {
  const first = filesOf(bundle, /\/src\/web\/main\.tsx$/, new Set())
  const frame = filesOf(bundle, /\/src\/web\/pages\/crm\.tsx$/, first)
  const known = new Set([...first, ...frame])
  const own = pages.map((page) => [
    page,
    namesOf(filesOf(bundle, new RegExp(`/src/web/(pages/${page}|features/${page}/${page}-page)\\.tsx$`), known)),
  ])
  return { frame: namesOf(frame), ...Object.fromEntries(own) }
}

/** Returns the output file of a module and all files that it imports, without those in `known`. Throws if there is none. */
function filesOf(bundle: Bundle, source: RegExp, known: ReadonlySet<string>): Set<string> {
  const files = new Set<string>()
  const add = (file: string) => {
    const chunk = bundle[file]
    if (chunk?.type !== 'chunk' || known.has(file) || files.has(file)) return
    files.add(file)
    for (const imported of chunk.imports) add(imported)
  }
  for (const chunk of Object.values(bundle))
    if (chunk.type === 'chunk' && chunk.moduleIds.some((id) => source.test(id))) add(chunk.fileName)
  if (files.size === 0) throw new Error(`No output file contains ${source}.`)
  return files
}

/** Returns file names without folder and extension. */
function namesOf(files: ReadonlySet<string>): string[] {
  return [...files].map((file) => basename(file, '.js'))
}
