import type { Node } from '../mutants/syntax.ts'
import type { FindDefinition } from './definitions.ts'
import { childrenOf, isFunction, isNode } from './parsed-files.ts'

/** Visits the nodes that run when this code runs. Nested functions are skipped, unless the code calls them where it defines them. */
export function visitOwnCode(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const child of childrenOf(node)) {
    const isLater = isFunction(child) || child.type === 'MethodDefinition' || child.type === 'PropertyDefinition'
    if (!isLater || (node.type === 'CallExpression' && node.callee === child)) visitOwnCode(child, visit)
  }
}

/** True for a node that subscribes when it runs, directly or in the function that it calls. */
export function hasSubscription(file: string, node: Node, findDefinition: FindDefinition): boolean {
  if (node.type === 'AssignmentExpression')
    return /^on[a-z]+$/.test(memberName(node.left)) && isNode(node.right) && isFunction(node.right)
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return false
  if (isSubscribing(node)) return true
  const calledFunction = findDefinition(file, String(node.callee.name))
  return calledFunction !== null && isFunction(calledFunction.node) && subscribesWhenCalled(calledFunction.node)
}

function isSubscribing({ callee }: Node): boolean {
  if (!isNode(callee)) return false
  return ['subscribe', 'addEventListener'].includes(memberName(callee)) || callee.name === 'addEventListener'
}

/** True if the body of a function subscribes, or adds one of its parameters to a collection, such as a set of listeners. */
function subscribesWhenCalled({ params, body }: Node): boolean {
  if (!isNode(body)) return false
  const names = new Set((params as Node[]).map(({ name }) => name))
  let isFound = false
  visitOwnCode(body, (node) => {
    if (node.type !== 'CallExpression') return
    const firstArgument = (node.arguments as Node[])[0]
    const isKept =
      memberName(node.callee) === 'add' && firstArgument?.type === 'Identifier' && names.has(firstArgument.name)
    isFound ||= isSubscribing(node) || isKept
  })
  return isFound
}

function memberName(node: unknown): string {
  return isNode(node) && node.type === 'MemberExpression' && isNode(node.property) ? String(node.property.name) : ''
}
