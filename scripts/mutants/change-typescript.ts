import { parseSync } from 'rolldown/utils'
import { changedNumber, changedPattern } from './change-values.ts'
import { changesOfSql } from './change-sql.ts'
import type { Change } from './mutant.ts'
import { isBlock, isLogLine, type Node, walk } from './syntax.ts'

/** A change, and the offset of the block that contains the change. Null outside of blocks. */
export type PlacedChange = Change & { block: number | null }

const operatorReplacements = new Map(
  Object.entries({
    '===': '!==',
    '!==': '===',
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '-': '+',
    '*': '/',
    '/': '*',
    '%': '*',
    '&': '|',
    '&&': '||',
    '||': '&&',
    '??': '&&',
  }),
)

const methodReplacements = new Map(
  Object.entries({ some: 'every', every: 'some', min: 'max', max: 'min', startsWith: 'endsWith' }),
)

/**
 * Returns all small changes that can be planted in one TypeScript file to make mutants. SQL in strings is changed as SQL. Types, imports and
 * log lines are not changed.
 */
export function changesOfTypescript(file: string, text: string): PlacedChange[] {
  const changes: PlacedChange[] = []
  walk(parseSync(file, text).program as unknown as Node, (node, parents) => {
    const enclosingBlock = parents.findLast((parent, index) => isBlock(parent, parents[index - 1]))
    const block = isBlock(node, parents.at(-1)) ? node.start : (enclosingBlock?.start ?? null)
    for (const change of changesOf(node, parents, text)) changes.push({ ...change, block })
  })
  return changes
}

function changesOf(node: Node, parents: readonly Node[], text: string): Change[] {
  const parent = parents.at(-1)
  const replaceNode = (to: string): Change => ({ start: node.start, end: node.end, to })
  const replacePart = (part: Node, to: string): Change => ({ start: part.start, end: part.end, to })
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operatorChanges(node, text)
    case 'UnaryExpression':
      return node.operator === '!' && !isCondition(node, parent)
        ? [replacePart({ ...node, end: node.start + 1 }, '')]
        : []
    case 'IfStatement':
    case 'ConditionalExpression':
      return [replacePart(node.test as Node, 'true'), replacePart(node.test as Node, 'false')]
    case 'WhileStatement':
      return [replacePart(node.test as Node, 'false')]
    case 'ThrowStatement':
      return [replaceNode('{}')]
    case 'ExpressionStatement':
      return isCall(node.expression as Node) ? [replaceNode('{}')] : []
    case 'ArrayExpression':
      return (node.elements as unknown[]).length > 0 ? [replaceNode('[]')] : []
    case 'MemberExpression': {
      const property = node.property as Node
      const to = methodReplacements.get(String(property.name))
      return to && !node.computed && parent?.type === 'CallExpression' ? [replacePart(property, to)] : []
    }
    case 'TemplateLiteral':
      return templateChanges(node, parent, text)
    case 'Literal':
      return isOrderSign(node, parents) ? [replaceNode('(-1)')] : literalChanges(node, parent, text)
    default:
      return []
  }
}

function operatorChanges(node: Node, text: string): Change[] {
  const [left, right] = [node.left as Node, node.right as Node]
  const to = operatorReplacements.get(String(node.operator))
  const start = text.indexOf(String(node.operator), left.end)
  if (!to || start < 0 || start > right.start) return []
  return [{ start, end: start + String(node.operator).length, to }]
}

function literalChanges(node: Node, parent: Node | undefined, text: string): Change[] {
  const raw = text.slice(node.start, node.end)
  const replaceLiteral = (to: string): Change => ({ start: node.start, end: node.end, to })
  if (isKey(node, parent)) return []
  if (typeof node.value === 'number') return changedNumber(raw).map(replaceLiteral)
  if (typeof node.value === 'boolean') return [replaceLiteral(String(!node.value))]
  if (node.regex) return changedPattern(raw).map(replaceLiteral)
  if (typeof node.value !== 'string') return []
  if (isSql(node.value)) return sqlChanges(text, node.start + 1, node.end - 1, [])
  // In a comparison only the operator is changed, not a text.
  if (parent?.type === 'BinaryExpression' && parent.operator !== '+') return []
  return [replaceLiteral(node.value === '' ? `'mutant'` : `''`)]
}

/** True for the 1 or -1 of `a < b ? -1 : 1`. Only the sign of a sort function's result matters, so the sign is changed, not the number. */
function isOrderSign(node: Node, parents: readonly Node[]): boolean {
  if (node.value !== 1) return false
  const chain = [...parents]
  let branch = node
  if (chain.at(-1)?.type === 'UnaryExpression') branch = chain.pop() ?? node
  let choice: Node | undefined
  while (chain.at(-1)?.type === 'ConditionalExpression' && chain.at(-1)?.test !== branch) {
    choice = chain.pop()
    branch = choice ?? branch
  }
  return choice !== undefined && branchesOf(choice).some(isMinusOne)
}

/** Returns the possible values of a conditional expression, including the values of nested conditional expressions. */
function branchesOf(node: Node): Node[] {
  if (node.type !== 'ConditionalExpression') return [node]
  return [node.consequent as Node, node.alternate as Node].flatMap(branchesOf)
}

function isMinusOne(node: Node): boolean {
  return node.type === 'UnaryExpression' && node.operator === '-' && (node.argument as Node).value === 1
}

function templateChanges(node: Node, parent: Node | undefined, text: string): Change[] {
  if (parent?.type === 'TaggedTemplateExpression') return []
  const raw = text.slice(node.start + 1, node.end - 1)
  if (isSql(raw)) return sqlChanges(text, node.start + 1, node.end - 1, node.expressions as Node[])
  return [{ start: node.start, end: node.end, to: '``' }]
}

/** Returns the changes of the SQL between two offsets. Each interpolation counts as a name of the same length. */
function sqlChanges(text: string, start: number, end: number, expressions: readonly Node[]): Change[] {
  let statement = text.slice(start, end)
  for (const interpolation of expressions) {
    const from = text.lastIndexOf('${', interpolation.start) - start
    const to = text.indexOf('}', interpolation.end) + 1 - start
    statement = statement.slice(0, from) + 'x'.repeat(to - from) + statement.slice(to)
  }
  return changesOfSql(statement).map((change) => ({ ...change, start: change.start + start, end: change.end + start }))
}

function isSql(text: string): boolean {
  return /^\s*(select|insert into|update|delete from|with|from|where|and|begin|set|lock)\s/.test(text)
}

function isCall(node: Node): boolean {
  if (node.type === 'AwaitExpression') return isCall(node.argument as Node)
  return node.type === 'CallExpression' && (node.callee as Node).type !== 'Super' && !isLogLine(node)
}

function isCondition(node: Node, parent: Node | undefined): boolean {
  return parent !== undefined && parent.test === node
}

/** True for the name of a property, the name of a prepared statement, or the path of a module. */
function isKey(node: Node, parent: Node | undefined): boolean {
  if (parent?.type === 'ImportExpression') return true
  if (parent?.type !== 'Property') return false
  return parent.key === node || ((parent.key as Node).name === 'name' && /^[a-z]+(-[a-z]+)+$/.test(String(node.value)))
}
