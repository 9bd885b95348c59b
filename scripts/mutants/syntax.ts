/** A node of the syntax tree (ESTree as oxc writes it). */
export interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

/** Members of nodes that contain types. They have no effect at run time. */
const typeMembers = new Set(['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'superTypeArguments'])
const declarationsWithoutMutants = /^(TSInterface|TSTypeAlias|Import|ExportAll)\w*Declaration$/

/** Calls `visit` with every node outside of types, imports and log lines, parents before children. */
export function walk(node: Node, visit: (node: Node, parents: readonly Node[]) => void, parents: Node[] = []): void {
  if (declarationsWithoutMutants.test(node.type) || isLogLine(node)) return
  visit(node, parents)
  parents.push(node)
  for (const [key, value] of Object.entries(node)) {
    if (typeMembers.has(key)) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, parents)
  }
  parents.pop()
}

/** True for code that runs as a whole or not at all: a block, the value of an arrow function, a branch. */
export function isBlock(node: Node, parent: Node | undefined): boolean {
  if (node.type === 'BlockStatement') return true
  if (parent?.type === 'ArrowFunctionExpression') return parent.body === node
  if (parent?.type === 'IfStatement' || parent?.type === 'ConditionalExpression')
    return parent.consequent === node || parent.alternate === node
  return false
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** True for a call that only writes a line of a log. */
export function isLogLine(node: Node): boolean {
  if (node.type !== 'CallExpression') return false
  const { object } = node.callee as { object?: Node }
  const name = object?.name ?? (object?.property as Node | undefined)?.name
  return name === 'log' || name === 'console'
}
