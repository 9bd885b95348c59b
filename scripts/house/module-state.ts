import type { Node } from '../mutants/syntax.ts'
import { importedFile, importsOf, isNode, type ParsedFile, placeOf, walkAll } from './parsed-files.ts'
import { type Definition, type FindDefinition, definitionFinder } from './definitions.ts'
import { hasCollection, isStoreMaker } from './store-makers.ts'
import { hasSubscription, visitOwnCode } from './subscriptions.ts'

const collectionClasses = new Set(['Map', 'Set', 'WeakMap', 'WeakSet'])
/** Methods that change a collection or a list. */
const changingMethods = new Set(['set', 'add', 'delete', 'clear', 'push', 'pop', 'shift', 'unshift', 'splice'])

/**
 * Finds variables of modules that can get another value. Such variables are faults, because all tests in a process, and all tabs that
 * these tests open, share the values.
 */
export function moduleLets(files: readonly ParsedFile[]): string[] {
  return files.flatMap((file) =>
    declarators(file)
      .filter(({ kind }) => kind !== 'const')
      .map(({ node }) => `${placeOf(file, node)} ${nameOf(node)}`),
  )
}

/**
 * Finds stores of modules: constants that hold a value and notify subscribers of its changes. A constant is a store if it is the result of a
 * function that returns an object with `subscribe` (`observable`, `emitter`), or with a hook over such a value (`onlineValue`).
 */
export function moduleStores(files: readonly ParsedFile[]): string[] {
  return countedConstants(files, (file, initializer, _name, findDefinition) => {
    const maker = initializer.type === 'CallExpression' ? makerOf(file, initializer, findDefinition) : null
    return maker !== null && isStoreMaker(maker, findDefinition)
  })
}

/**
 * Finds constants of modules that collect values: a Map, Set, WeakMap, WeakSet, list or object that its own file changes, and an
 * instance of a class that contains a collection. A collection that its file never changes does not count.
 */
export function moduleCollections(files: readonly ParsedFile[]): string[] {
  const changedNamesByFile = new Map(files.map((file) => [file, changedNames(file)]))
  return countedConstants(files, (file, initializer, name, findDefinition) => {
    const isChanged = changedNamesByFile.get(file)?.has(name) ?? false
    if (initializer.type === 'ArrayExpression' || initializer.type === 'ObjectExpression') return isChanged
    if (initializer.type !== 'NewExpression' || !isNode(initializer.callee)) return false
    if (collectionClasses.has(String(initializer.callee.name))) return isChanged
    const maker = makerOf(file, initializer, findDefinition)
    return maker !== null && hasCollection(maker)
  })
}

function countedConstants(
  files: readonly ParsedFile[],
  isCounted: (file: ParsedFile, initializer: Node, name: string, findDefinition: FindDefinition) => boolean,
): string[] {
  const findDefinition = definitionFinder(files)
  return files.flatMap((file) =>
    declarators(file)
      .filter(
        ({ kind, node }) =>
          kind === 'const' && isNode(node.init) && isCounted(file, unwrapped(node.init), nameOf(node), findDefinition),
      )
      .map(({ node }) => `${placeOf(file, node)} ${nameOf(node)}`),
  )
}

function makerOf({ file }: ParsedFile, { callee }: Node, findDefinition: FindDefinition): Definition | null {
  return isNode(callee) ? findDefinition(file, String(callee.name)) : null
}

/**
 * Finds subscriptions that a module makes when it is imported: `x.subscribe(…)`, `addEventListener`, `x.onmessage = …`, and calls of a
 * function of src/web whose own body subscribes or stores its argument. Files that nothing imports do not count: they are the entry
 * files of pages and workers.
 */
export function subscriptionsAtImport(files: readonly ParsedFile[]): string[] {
  const findDefinition = definitionFinder(files)
  const importedFiles = new Set(
    files.flatMap((file) => importsOf(file).map(({ specifier }) => importedFile(file.file, specifier))),
  )
  return files
    .filter(({ file }) => importedFiles.has(file))
    .flatMap((file) => {
      const places: string[] = []
      visitOwnCode(file.program, (node) => {
        if (hasSubscription(file.file, node, findDefinition)) places.push(placeOf(file, node))
      })
      return places
    })
}

/** Returns the variables at the top of a module. `kind` is `const`, `let` or `var`. */
function declarators({ program }: ParsedFile): { kind: string; node: Node }[] {
  return (program.body as Node[])
    .map((statement) => (isNode(statement.declaration) ? statement.declaration : statement))
    .filter(({ type, declare }) => type === 'VariableDeclaration' && declare !== true)
    .flatMap(({ kind, declarations }) => (declarations as Node[]).map((node) => ({ kind: String(kind), node })))
}

/** Returns the names of variables whose object the file changes: `x.set(…)`, `x.push(…)`, `x.y = …`, `x[y] = …`, `delete x.y`, `x.y++`. */
function changedNames({ program }: ParsedFile): Set<string> {
  const names = new Set<string>()
  const addName = (member: unknown) => {
    let object = member
    while (isNode(object) && object.type === 'MemberExpression') object = object.object
    if (isNode(object) && isNode(member) && member.type === 'MemberExpression') names.add(String(object.name))
  }
  walkAll(program, (node) => {
    if (node.type === 'AssignmentExpression') addName(node.left)
    if (node.type === 'UpdateExpression' || (node.type === 'UnaryExpression' && node.operator === 'delete'))
      addName(node.argument)
    const { callee } = node
    if (node.type !== 'CallExpression' || !isNode(callee) || !isNode(callee.property)) return
    if (changingMethods.has(String(callee.property.name))) addName(callee)
  })
  return names
}

function nameOf({ id }: Node): string {
  return isNode(id) && typeof id.name === 'string' ? id.name : 'a pattern'
}

/** Removes casts and parentheses around an expression. */
function unwrapped(node: Node): Node {
  const isWrapped = /^TS(As|Satisfies|NonNull)Expression$|^ParenthesizedExpression$/.test(node.type)
  return isWrapped && isNode(node.expression) ? unwrapped(node.expression) : node
}
