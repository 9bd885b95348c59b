import { importedFile, importsOf, type ParsedFile, placeOf } from './parsed-files.ts'

/** The rooms of src/web/data from the lowest to the highest; above them stand the files directly in it, the doors. */
const rooms = ['browser', 'server', 'session', 'store', 'changes', 'sync', 'query', 'people']

/**
 * Imports inside of src/web/data that name a higher room, those of types and those that load later too. Null where the
 * data layer has other folders than these: there is no order then.
 */
export function upwardImports(files: readonly ParsedFile[]): string[] | null {
  const data = files.filter(({ file }) => folderOf(file) !== null)
  const folders = new Set(data.map(({ file }) => folderOf(file) ?? ''))
  folders.delete('')
  if (folders.size === 0 || [...folders].some((folder) => !rooms.includes(folder))) return null
  return data.flatMap((file) =>
    importsOf(file)
      .filter(({ specifier }) => {
        const target = importedFile(file.file, specifier)
        return target !== null && floorOf(target) > floorOf(file.file)
      })
      .map(({ specifier, node }) => `${placeOf(file, node)} ${specifier}`),
  )
}

/** The room's name, empty for a door, null for what is no file of the data layer. */
function folderOf(file: string): string | null {
  const [, path] = /^src\/web\/data\/(.+)$/.exec(file) ?? []
  if (path === undefined) return null
  return path.includes('/') ? (path.split('/')[0] ?? '') : ''
}

/** What stands outside of the data layer is no floor of it: no import of it counts. */
function floorOf(file: string): number {
  const folder = folderOf(file)
  if (folder === null) return -1
  return folder === '' ? rooms.length : rooms.indexOf(folder)
}
