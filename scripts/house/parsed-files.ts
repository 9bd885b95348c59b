import { posix } from 'node:path'
import { parseSync } from 'rolldown/utils'
import type { Node } from '../mutants/syntax.ts'
import type { SourceTree } from './source-tree.ts'

/** A TypeScript file and its syntax tree. */
export interface ParsedFile {
  file: string
  text: string
  program: Node
}

/** Parses the TypeScript files of a folder, without tests. */
export function parsedFiles(tree: Pick<SourceTree, 'files' | 'read'>, folder: string): ParsedFile[] {
  return tree.files
    .filter((file) => file.startsWith(`${folder}/`) && /\.tsx?$/.test(file) && !isTest(file))
    .map((file) => parseFile(file, tree.read(file)))
}

export function parseFile(file: string, text: string): ParsedFile {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`)
  return { file, text, program: program as unknown as Node }
}

/** True for tests, and for files named `test-…`, which only tests import. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$|\/test-[\w-]+\.tsx?$/.test(file)
}

/** Calls `visit` with every node, parents before children. If `visit` returns false, the node's children are skipped. */
export function walkAll(node: Node, visit: (node: Node) => boolean | void): void {
  if (visit(node) === false) return
  for (const child of childrenOf(node)) walkAll(child, visit)
}

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

export function isFunction({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
}

/** Returns `file:line` of a node. */
export function placeOf({ file, text }: ParsedFile, { start }: Node): string {
  return `${file}:${text.slice(0, start).split('\n').length}`
}

/** Resolves an import of `file` to a path of the project. Null for a package. */
export function importedFile(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier)
  const projectImport = /^#(server|shared|web|tests)\/(.+)$/.exec(specifier)
  if (!projectImport) return null
  return projectImport[1] === 'tests' ? `tests/${projectImport[2]}` : `src/${projectImport[1]}/${projectImport[2]}`
}

/** Returns all imports of a file, including type imports and dynamic imports, with the file or package that each names. */
export function importsOf({ program }: ParsedFile): { specifier: string; node: Node }[] {
  const imports: { specifier: string; node: Node }[] = []
  walkAll(program, (node) => {
    const source = /^(Import|Export(All|Named))Declaration$|^ImportExpression$/.test(node.type)
      ? node.source
      : undefined
    if (isNode(source) && typeof source.value === 'string') imports.push({ specifier: source.value, node })
  })
  return imports
}
