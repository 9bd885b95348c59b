import { basename } from 'node:path'
import type { Plugin } from 'vite'

type Bundle = NonNullable<Parameters<Extract<Plugin['generateBundle'], (...args: never[]) => unknown>>[1]>

/**
 * Writes into index.html which scripts the main pages of /crm need besides those of main.tsx: the attribute `data-files` of the element with id
 * 'frame' has their names without folder and extension, by page. If somebody is signed in, public/first-paint.js fetches these files before the
 * app's first script runs. The key `frame` lists the files of src/web/pages/crm.tsx, which every page of /crm needs.
 */
export const pageFiles: Plugin = {
  name: 'page-files',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const files = bundle ? pageFilesOf(bundle) : {}
      const htmlWithFiles = html.replace('id="frame"', () => `id="frame" data-files='${JSON.stringify(files)}'`)
      if (htmlWithFiles === html) throw new Error('index.html has no element with id="frame".')
      return htmlWithFiles
    },
  },
}

const pages = ['overview', 'deals', 'contacts', 'companies', 'tasks', 'settings']

function pageFilesOf(bundle: Bundle): Record<string, string[]> {
  const firstFiles = filesOf(bundle, /\/src\/web\/main\.tsx$/, new Set())
  const frameFiles = filesOf(bundle, /\/src\/web\/pages\/crm\.tsx$/, firstFiles)
  const loadedFiles = new Set([...firstFiles, ...frameFiles])
  const filesByPage = pages.map((page) => [
    page,
    baseNamesOf(
      filesOf(bundle, new RegExp(`/src/web/(pages/${page}|features/${page}/${page}-page)\\.tsx$`), loadedFiles),
    ),
  ])
  return { frame: baseNamesOf(frameFiles), ...Object.fromEntries(filesByPage) }
}

/**
 * Returns the output files that contain a module whose path matches `source`, and all files that they import, without the files in `known`.
 * Throws if no file is left.
 */
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
function baseNamesOf(files: ReadonlySet<string>): string[] {
  return [...files].map((file) => basename(file, '.js'))
}
