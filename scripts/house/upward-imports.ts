import { importedFile, importsOf, type ParsedFile, placeOf } from './parsed-files.ts'

/** The folders of src/web/data, from the lowest layer to the highest. The files directly in src/web/data are above them. */
const layers = ['browser', 'server', 'session', 'store', 'changes', 'sync', 'query', 'people']

/**
 * Finds imports inside src/web/data from a higher layer, including type imports and dynamic imports. Returns null if src/web/data has
 * no folders, or folders that are not in `layers`: their order is unknown.
 */
export function upwardImports(files: readonly ParsedFile[]): string[] | null {
  const dataFiles = files.filter(({ file }) => folderOf(file) !== null)
  const folders = new Set(dataFiles.map(({ file }) => folderOf(file) ?? ''))
  folders.delete('')
  if (folders.size === 0 || [...folders].some((folder) => !layers.includes(folder))) return null
  return dataFiles.flatMap((file) =>
    importsOf(file)
      .filter(({ specifier }) => {
        const target = importedFile(file.file, specifier)
        return target !== null && layerOf(target) > layerOf(file.file)
      })
      .map(({ specifier, node }) => `${placeOf(file, node)} ${specifier}`),
  )
}

/** Returns the folder's name, '' for a file directly in src/web/data, null for a file elsewhere. */
function folderOf(file: string): string | null {
  const [, path] = /^src\/web\/data\/(.+)$/.exec(file) ?? []
  if (path === undefined) return null
  return path.includes('/') ? (path.split('/')[0] ?? '') : ''
}

/** Returns the layer's number, higher for higher layers. -1 for files outside src/web/data: imports of them do not count. */
function layerOf(file: string): number {
  const folder = folderOf(file)
  if (folder === null) return -1
  return folder === '' ? layers.length : layers.indexOf(folder)
}
