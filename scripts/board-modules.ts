import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

const iconsFile = pathOf('src/web/ui/icons.tsx')

/** Entry files of the code that the board needs before it is usable. */
const boardFiles = ['pages/crm.tsx', 'pages/deals.tsx']

/** Entry files of the code that each page loads once the browser is idle. */
const idleFiles = [
  'features/account/sign-out-dialog.tsx',
  'features/install/install-card.tsx',
  'features/notifications/follow-notifications.ts',
  'features/sync/outbox-dialog.tsx',
]

let boardModules: ReadonlySet<string> | undefined
let idleModules: ReadonlySet<string> | undefined

/**
 * Returns a function that chooses the output file of a module, for the group `name` of modules in vite.config.ts:
 * - `name` for code that the board needs before it is usable,
 * - `name-idle` for code that loads once the browser is idle,
 * - `name-later` for code that only panels, forms and settings need.
 */
export function splitByBoard(name: string): (id: string, graph: ModuleGraph) => string {
  return (id, graph) => {
    boardModules ??= modulesOf(boardFiles, graph)
    idleModules ??= modulesOf(idleFiles, graph)
    return boardModules.has(id) ? name : idleModules.has(id) ? `${name}-idle` : `${name}-later`
  }
}

/** Returns the modules that these files import, directly or through other modules. */
function modulesOf(files: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const visited = new Set<string>()
  for (const file of files) addModules(pathOf(`src/web/${file}`), visited, graph)
  return visited
}

function addModules(id: string, visited: Set<string>, graph: ModuleGraph): void {
  if (visited.has(id)) return
  visited.add(id)
  // Each icon is its own module. A page needs only the icons that it imports by name, not all that icons.tsx exports.
  if (id === iconsFile) return
  const imported = graph.getModuleInfo(id)?.importedIds ?? []
  for (const importedId of imported.includes(iconsFile) ? [...imported, ...iconModules(id, graph)] : imported)
    addModules(importedId, visited, graph)
}

/** Returns the modules of the icons that a file of this project imports. */
function iconModules(id: string, graph: ModuleGraph): string[] {
  const importedIcons = namesIn(readFileSync(id, 'utf8'), /import \{([^}]*)\} from '[^']*\/icons\.tsx'/)
  return importedIcons.flatMap(({ from }) => modulesByIconName(graph).get(from) ?? [])
}

let moduleOfIcon: Map<string, string> | undefined

/** Returns the module of each icon, by the name that src/web/ui/icons.tsx gives the icon. Throws if lucide-react lacks an icon. */
function modulesByIconName(graph: ModuleGraph): Map<string, string> {
  if (moduleOfIcon) return moduleOfIcon
  const libraryIndex = graph.getModuleInfo(iconsFile)?.importedIds[0] ?? ''
  const folder = libraryIndex.slice(0, libraryIndex.lastIndexOf('/'))
  const pathOfIcon = new Map<string, string>()
  for (const [, names = '', path = ''] of readFileSync(libraryIndex, 'utf8').matchAll(
    /export \{([^}]*)\} from '\.([^']*)'/g,
  ))
    for (const { to } of parseNames(names)) pathOfIcon.set(to, folder + path)
  moduleOfIcon = new Map()
  for (const { from, to } of namesIn(readFileSync(iconsFile, 'utf8'), /export \{([^}]*)\}/)) {
    const path = pathOfIcon.get(from)
    if (path === undefined) throw new Error(`lucide-react has no icon ${from}, which ${iconsFile} names.`)
    moduleOfIcon.set(to, path)
  }
  return moduleOfIcon
}

function namesIn(text: string, statement: RegExp): { from: string; to: string }[] {
  return parseNames(statement.exec(text)?.[1] ?? '')
}

/** Parses 'Archive as RetireIcon, ArrowLeft' into pairs of the original (`from`) and the new name (`to`). */
function parseNames(names: string): { from: string; to: string }[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => {
      const [from = name, to = from] = name.split(/\s+as\s+/)
      return { from, to }
    })
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../${file}`, import.meta.url))
}
