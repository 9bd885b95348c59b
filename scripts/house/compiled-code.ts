import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isShorthandPropertyAssignment, type Node, type SourceFile } from 'typescript/unstable/ast'
import { API, type NodeHandle, type Symbol as CodeSymbol, SymbolFlags, type Type } from 'typescript/unstable/sync'
import { isTest } from './parsed-files.ts'

/** A declaration of a name. `key` identifies it. `node` is null for code of packages. */
export interface Declaration {
  key: string
  path: string
  node: Node | null
}

/** The project's code, analysed by the compiler. */
export interface CompiledCode {
  /** The files of src/web, without tests. */
  files: readonly SourceFile[]
  /** Returns the declarations of a name. For an imported name, these are the declarations in the file that exports it. */
  declarationsOf(name: Node): readonly Declaration[]
  /** Finds the declarations of many names in one request to the compiler, so that `declarationsOf` need not send one for each name. */
  prepare(names: readonly Node[]): void
  /** Returns the declarations of the property `member`, in the type of this pattern or expression. */
  memberOf(node: Node, member: string): readonly Declaration[]
  /** Returns the declarations of the property `member`, in the type that this object literal or JSX element must have. */
  expectedMember(node: Node, member: string): readonly Declaration[]
  /** Returns the file and the line of a node: `src/web/data/deals.ts:12`. */
  placeOf(node: Node): string
  close(): void
}

/** Opens tsconfig.json of a folder. Throws if that fails. The compiler runs as a separate process until `close`. */
export function openCompiledCode(folder: string): CompiledCode {
  const config = join(folder, 'tsconfig.json')
  if (!existsSync(config)) throw new Error(`${config} is missing`)
  const api = new API({ cwd: folder })
  const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects()
  if (!project) throw new Error(`${config} cannot be opened`)
  const { checker, program } = project
  const root = `${folder}/`
  const files = program
    .getSourceFileNames()
    .filter((file) => file.startsWith(`${root}src/web/`) && !isTest(file) && !file.endsWith('.d.ts'))
    .map((file) => program.getSourceFile(file))
    .filter((file) => file !== undefined)

  const declarationsByName = new Map<Node, readonly Declaration[]>()
  const declarationOf = (handle: NodeHandle): Declaration => {
    const isOfProject = handle.path.startsWith(`${root}src/`)
    return {
      key: `${handle.path} ${handle.index}`,
      path: handle.path,
      node: isOfProject ? (handle.resolve(project) ?? null) : null,
    }
  }
  const declarationsOfSymbol = (symbol: CodeSymbol | undefined): readonly Declaration[] => {
    if (!symbol) return []
    const origin = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return origin.declarations.map(declarationOf)
  }
  const prepare = (names: readonly Node[]) => {
    const newNames = names.filter((name) => !declarationsByName.has(name))
    if (newNames.length === 0) return
    checker.getSymbolAtLocation(newNames).forEach((symbol, index) => {
      const name = newNames[index]
      if (!name) return
      const isShorthand = isShorthandPropertyAssignment(name.parent)
      declarationsByName.set(
        name,
        declarationsOfSymbol(isShorthand ? checker.getShorthandAssignmentValueSymbol(name.parent) : symbol),
      )
    })
  }
  const memberOfType = (type: Type | undefined, member: string) =>
    type ? declarationsOfSymbol(checker.getPropertyOfType(checker.getNonNullableType(type) ?? type, member)) : []
  return {
    files,
    prepare,
    declarationsOf(name) {
      prepare([name])
      return declarationsByName.get(name) ?? []
    },
    memberOf: (node, member) => memberOfType(checker.getTypeAtLocation(node), member),
    expectedMember: (node, member) =>
      memberOfType(checker.getContextualType(node as Parameters<typeof checker.getContextualType>[0]), member),
    placeOf(node) {
      const file = node.getSourceFile()
      const line = file.text.slice(0, node.getStart()).split('\n').length
      return `${file.fileName.slice(root.length)}:${line}`
    },
    close: () => api.close(),
  }
}
