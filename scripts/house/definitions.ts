import type { Node } from '../mutants/syntax.ts'
import { importedFile, isFunction, isNode, type ParsedFile } from './parsed-files.ts'

/** A function or class at the top of a module. */
export interface Definition {
  file: string
  node: Node
}

/**
 * Returns the function or class that a name means at the top of a file. If the file imports the name, the definition is in the imported
 * file. Null if the name means anything else, or if its definition is not in the given files.
 */
export type FindDefinition = (file: string, name: string) => Definition | null

/**
 * Returns a function that finds functions and classes at the top of modules. The search ignores scopes: a name that a function declares
 * inside counts as the same name at the top of the module.
 */
export function definitionFinder(files: readonly ParsedFile[]): FindDefinition {
  const definitions = new Map<string, Definition>()
  const importedNames = new Map<string, { file: string; name: string }>()
  for (const { file, program } of files)
    for (const statement of program.body as Node[]) {
      for (const { name, node } of definedBy(statement)) definitions.set(`${file} ${name}`, { file, node })
      for (const importedName of importedBy(file, statement))
        importedNames.set(`${file} ${importedName.as}`, importedName)
    }
  return (file, name) => {
    const origin = importedNames.get(`${file} ${name}`)
    return definitions.get(origin ? `${origin.file} ${origin.name}` : `${file} ${name}`) ?? null
  }
}

function definedBy(statement: Node): { name: string; node: Node }[] {
  const node = isNode(statement.declaration) ? statement.declaration : statement
  if ((isFunction(node) || node.type === 'ClassDeclaration') && isNode(node.id))
    return [{ name: String(node.id.name), node }]
  if (node.type !== 'VariableDeclaration') return []
  return (node.declarations as Node[]).flatMap(({ id, init }) =>
    isNode(id) && isNode(init) && (isFunction(init) || init.type === 'ClassExpression')
      ? [{ name: String(id.name), node: init }]
      : [],
  )
}

function importedBy(file: string, statement: Node): { file: string; name: string; as: string }[] {
  if (statement.type !== 'ImportDeclaration' || !isNode(statement.source)) return []
  const origin = importedFile(file, String(statement.source.value))
  if (origin === null) return []
  return (statement.specifiers as Node[]).flatMap(({ imported, local }) =>
    isNode(imported) && isNode(local) ? [{ file: origin, name: String(imported.name), as: String(local.name) }] : [],
  )
}
