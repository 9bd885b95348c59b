import type { Node } from '../mutants/syntax.ts'
import type { Definition, FindDefinition } from './definitions.ts'
import { isFunction, isNode } from './parsed-files.ts'
import { visitOwnCode } from './subscriptions.ts'

const collectionClasses = new Set(['Map', 'Set', 'WeakMap', 'WeakSet'])

/**
 * True for a function that returns a store: an object with `subscribe`, or an object with a hook that reads such an object. `depth`: the number of
 * called functions that led to this one; at more than three, the result is false.
 */
export function isStoreMaker({ file, node }: Definition, findDefinition: FindDefinition, depth = 0): boolean {
  if (depth > 3) return false
  if (!isFunction(node)) return false
  const isStore = (result: Node | null): boolean => {
    if (!result) return false
    if (result.type === 'ObjectExpression')
      return (result.properties as Node[]).some(({ key }) => isNode(key) && key.name === 'subscribe')
    if (!isNode(result.callee)) return false
    const maker = findDefinition(file, String(result.callee.name))
    return maker !== null && isStoreMaker(maker, findDefinition, depth + 1)
  }
  return resultsOf(node).some(isStore) || holdsStore(node, isStore)
}

/** True if a function creates a store in its body and returns an object with a hook. */
function holdsStore(node: Node, isStore: (initializer: Node | null) => boolean): boolean {
  const hasHook = resultsOf(node).some(
    (result) =>
      result?.type === 'ObjectExpression' &&
      (result.properties as Node[]).some(({ key }) => isNode(key) && /^use([A-Z]|$)/.test(String(key.name))),
  )
  let hasStore = false
  if (hasHook && isNode(node.body))
    visitOwnCode(node.body, ({ type, init }) => {
      hasStore ||= type === 'VariableDeclarator' && isNode(init) && isStore(init)
    })
  return hasStore
}

/** True for a class whose instances contain a collection. */
export function hasCollection({ node: { body } }: Definition): boolean {
  const members = isNode(body) && Array.isArray(body.body) ? (body.body as Node[]) : []
  return members.some(({ type, value }) => {
    if (type !== 'PropertyDefinition' || !isNode(value)) return false
    return value.type === 'NewExpression' && isNode(value.callee) && collectionClasses.has(String(value.callee.name))
  })
}

function resultsOf({ body }: Node): (Node | null)[] {
  if (!isNode(body)) return []
  if (body.type !== 'BlockStatement') return [withoutParentheses(body)]
  const results: (Node | null)[] = []
  visitOwnCode(body, ({ type, argument }) => {
    if (type === 'ReturnStatement') results.push(isNode(argument) ? argument : null)
  })
  return results
}

function withoutParentheses(node: Node): Node {
  return node.type === 'ParenthesizedExpression' && isNode(node.expression) ? node.expression : node
}
