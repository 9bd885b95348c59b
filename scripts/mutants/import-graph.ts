import type { Node } from './syntax.ts'
import { importedFile, isNode, parsed, walkAll } from '../house/parsed-files.ts'

/**
 * `importGraph(files, read)`: the files that run, or can run, when a file is imported, itself among them: through imports that stay when types
 * are gone, `import()` and `new URL('…', import.meta.url)`, by which a test starts a process of its own.
 */
export function importGraph(
  files: readonly string[],
  read: (file: string) => string,
): (file: string) => ReadonlySet<string> {
  const present = new Set(files)
  const direct = new Map<string, readonly string[]>()
  const importsOf = (file: string): readonly string[] => {
    const known = direct.get(file) ?? valueImports(file, read(file)).filter((one) => present.has(one))
    direct.set(file, known)
    return known
  }
  return (file) => {
    const reached = new Set([file])
    // A set is walked through in the order of its growth.
    for (const one of reached) if (/\.(ts|tsx|mjs)$/.test(one)) for (const next of importsOf(one)) reached.add(next)
    return reached
  }
}

function valueImports(file: string, text: string): string[] {
  const found: string[] = []
  walkAll(parsed(file, text).program, (node) => {
    const specifier = specifierOf(node)
    const target = specifier === null ? null : importedFile(file, specifier)
    if (target !== null) found.push(target)
  })
  return found
}

function specifierOf(node: Node): string | null {
  if (/^(Import|Export(All|Named))Declaration$/.test(node.type)) return isOfTypes(node) ? null : textOf(node.source)
  if (node.type === 'ImportExpression') return textOf(node.source)
  if (node.type !== 'NewExpression' || !isNode(node.callee) || node.callee.name !== 'URL') return null
  const [path, base] = node.arguments as Node[]
  const isBeside = base?.type === 'MemberExpression' && isNode(base.object) && base.object.type === 'MetaProperty'
  const name = textOf(path)
  return isBeside && name ? (name.startsWith('.') ? name : `./${name}`) : null
}

/** `import type`, or every name in it is one. */
function isOfTypes(node: Node): boolean {
  const kindOf = (one: Node) => one.importKind ?? one.exportKind
  const names = Array.isArray(node.specifiers) ? (node.specifiers as Node[]) : []
  return kindOf(node) === 'type' || (names.length > 0 && names.every((name) => kindOf(name) === 'type'))
}

function textOf(source: unknown): string | null {
  return isNode(source) && typeof source.value === 'string' ? source.value : null
}
