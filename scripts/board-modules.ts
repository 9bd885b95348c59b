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

let board: ReadonlySet<string> | undefined
let idle: ReadonlySet<string> | undefined

/**
 * Returns a function that chooses the output file of a module. The group `name` has three output files: `name` for code that the board needs,
 * `name-idle` for code that loads once the browser is idle, and `name-later` for code that only panels, forms and settings need.
 */
export function splitByBoard(name: string): (id: string, graph: ModuleGraph) => string {
  return (id, graph) => {
    board ??= modulesOf(boardFiles, graph)
    idle ??= modulesOf(idleFiles, graph)
    return board.has(id) ? name : idle.has(id) ? `${name}-idle` : `${name}-later`
  }
}

/** Returns the modules that these files import, directly or through other modules. */
function modulesOf(files: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>()
  for (const file of files) addModules(pathOf(`src/web/${file}`), found, graph)
  return found
}

function addModules(id: string, found: Set<string>, graph: ModuleGraph): void {
  if (found.has(id)) return
  found.add(id)
  // Each icon is its own module. A page needs only the icons that it imports by name, not all that icons.tsx exports.
  if (id === iconsFile) return
  const imported = graph.getModuleInfo(id)?.importedIds ?? []
  for (const each of imported.includes(iconsFile) ? [...imported, ...iconModules(id, graph)] : imported)
    addModules(each, found, graph)
}

/** Returns the modules of the icons that a file of this project imports. */
function iconModules(id: string, graph: ModuleGraph): string[] {
  const names = namesIn(readFileSync(id, 'utf8'), /import \{([^}]*)\} from '[^']*\/icons\.tsx'/)
  return names.flatMap(({ from }) => modulesByIconName(graph).get(from) ?? [])
}

let modules: Map<string, string> | undefined

/** Returns the module of each icon, by the name that src/web/ui/icons.tsx gives the icon. Throws if lucide-react lacks an icon. */
function modulesByIconName(graph: ModuleGraph): Map<string, string> {
  if (modules) return modules
  const library = graph.getModuleInfo(iconsFile)?.importedIds[0] ?? ''
  const folder = library.slice(0, library.lastIndexOf('/'))
  const paths = new Map<string, string>()
  for (const [, names = '', path = ''] of readFileSync(library, 'utf8').matchAll(
    /export \{([^}]*)\} from '\.([^']*)'/g,
  ))
    for (const { to } of parseNames(names)) paths.set(to, folder + path)
  modules = new Map()
  for (const { from, to } of namesIn(readFileSync(iconsFile, 'utf8'), /export \{([^}]*)\}/)) {
    const path = paths.get(from)
    if (path === undefined) throw new Error(`lucide-react has no icon ${from}, which ${iconsFile} names.`)
    modules.set(to, path)
  }
  return modules
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
