import type { Node } from './syntax.ts'
import { importedFile, isNode, parseFile, walkAll } from '../house/parsed-files.ts'

/**
 * Returns a function that finds the files that run, or can run, when a file is imported, including the file itself. It follows imports of
 * values, `import()`, and `new URL('…', import.meta.url)`, with which a test starts a process.
 */
export function importGraph(
  files: readonly string[],
  read: (file: string) => string,
): (file: string) => ReadonlySet<string> {
  const existingFiles = new Set(files)
  const directImports = new Map<string, readonly string[]>()
  const importsOf = (file: string): readonly string[] => {
    const imports =
      directImports.get(file) ?? valueImports(file, read(file)).filter((imported) => existingFiles.has(imported))
    directImports.set(file, imports)
    return imports
  }
  return (file) => {
    const reached = new Set([file])
    // The loop also visits files that are added meanwhile.
    for (const reachedFile of reached)
      if (/\.(ts|tsx|mjs)$/.test(reachedFile)) for (const imported of importsOf(reachedFile)) reached.add(imported)
    return reached
  }
}

function valueImports(file: string, text: string): string[] {
  const targets: string[] = []
  walkAll(parseFile(file, text).program, (node) => {
    const specifier = specifierOf(node)
    const target = specifier === null ? null : importedFile(file, specifier)
    if (target !== null) targets.push(target)
  })
  return targets
}

function specifierOf(node: Node): string | null {
  if (/^(Import|Export(All|Named))Declaration$/.test(node.type)) return isTypeImport(node) ? null : textOf(node.source)
  if (node.type === 'ImportExpression') return textOf(node.source)
  if (node.type !== 'NewExpression' || !isNode(node.callee) || node.callee.name !== 'URL') return null
  const [path, base] = node.arguments as Node[]
  const isBeside = base?.type === 'MemberExpression' && isNode(base.object) && base.object.type === 'MetaProperty'
  const name = textOf(path)
  return isBeside && name ? (name.startsWith('.') ? name : `./${name}`) : null
}

/** True for `import type`, and for imports in which every name is a type. */
function isTypeImport(node: Node): boolean {
  const kindOf = (one: Node) => one.importKind ?? one.exportKind
  const names = Array.isArray(node.specifiers) ? (node.specifiers as Node[]) : []
  return kindOf(node) === 'type' || (names.length > 0 && names.every((name) => kindOf(name) === 'type'))
}

function textOf(source: unknown): string | null {
  return isNode(source) && typeof source.value === 'string' ? source.value : null
}
