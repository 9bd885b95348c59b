import {
  type CallExpression,
  isCallExpression,
  isClassLikeDeclaration,
  isConstructorDeclaration,
  isFunctionDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isJsxAttribute,
  isJsxExpression,
  isNewExpression,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isPropertyDeclaration,
  type NewExpression,
  type Node,
  type ParameterDeclaration,
  type SourceFile,
} from 'typescript/unstable/ast'
import type { CompiledCode, Declaration } from './compiled-code.ts'
import { walkCode } from './members.ts'

/** What a function does by the calls in its own body. */
export interface Calls {
  /** The functions that ask the server: their names as they are called. */
  asks: string[]
  /** Functions and classes of src/web that it calls or makes, and functions that a package calls for it. */
  calls: Node[]
  /** Functions that React calls to read what is shown. */
  shown: Node[]
  /** Parameters, its own or of a function around it, that it calls. */
  called: ParameterDeclaration[]
  /** What it gives for parameters: functions, or parameters of its own that it passes on. */
  given: { parameter: ParameterDeclaration; values: Node[] }[]
}

/** Functions of src/web that ask the server. */
const asking = new Set(['askServer', 'loadClient', 'rpc'])

/** Whether a file declares one of the functions that ask. */
export function declaresAsking({ statements }: SourceFile): boolean {
  return statements.some((one) => isFunctionDeclaration(one) && one.name !== undefined && asking.has(one.name.text))
}

/** Functions of packages and of the browser that call what they are given: at once, or soon and because of this call. */
const calling = new Set(
  [
    'map flatMap filter forEach reduce some every find findIndex findLast sort toSorted from replace replaceAll',
    'then catch finally Promise request transaction',
    'setTimeout setInterval queueMicrotask requestAnimationFrame requestIdleCallback',
    'useMemo useState useReducer startTransition',
  ].flatMap((names) => names.split(' ')),
)

/** `callsOf(code, valuesOf)`: what a function or class does when it is called or made, each found once. */
export function callsOf(code: CompiledCode, valuesOf: (expression: Node) => Node[]): (node: Node) => Calls {
  const known = new Map<Node, Calls>()
  return (node) => {
    const before = known.get(node)
    if (before) return before
    const found: Calls = { asks: [], calls: [], shown: [], called: [], given: [] }
    known.set(node, found)
    const calls = callsIn(node)
    code.prepare(calls.map(({ expression }) => nameIn(expression)))
    for (const call of calls) note(call, found)
    // A component calls a function that stands between its tags while it renders.
    found.calls.push(...childrenIn(node).flatMap(valuesOf))
    return found
  }

  function note(call: CallExpression | NewExpression, found: Calls): void {
    const name = nameIn(call.expression)
    const text = isIdentifier(name) ? name.text : ''
    const declarations = code.declarationsOf(name)
    const given = call.arguments ?? []
    const parameters = declarations.map(({ node }) => node).filter((node) => node !== null)
    if (isAsking(text, declarations)) return void found.asks.push(text)
    found.called.push(...parameters.filter(isParameterDeclaration))
    if (isNewExpression(call)) found.calls.push(...parameters.filter(isClassLikeDeclaration))
    const callees = valuesOf(call.expression)
    found.calls.push(...callees)
    for (const callee of callees)
      if (isFunctionLikeDeclaration(callee))
        callee.parameters.forEach((parameter, index) => {
          const argument = given[index]
          if (argument) found.given.push({ parameter, values: [...valuesOf(argument), ...parametersIn(argument)] })
        })
    if (declarations.some(({ node }) => node !== null)) return
    if (text === 'useSyncExternalStore') found.shown.push(...given.slice(1).flatMap(valuesOf))
    if (!calling.has(text)) return
    found.calls.push(...given.flatMap(valuesOf))
    found.called.push(...given.flatMap(parametersIn))
  }

  function parametersIn(argument: Node): ParameterDeclaration[] {
    if (!isIdentifier(argument)) return []
    return code
      .declarationsOf(argument)
      .map(({ node }) => node)
      .filter((node) => node !== null)
      .filter(isParameterDeclaration)
  }
}

function isAsking(name: string, declarations: readonly Declaration[]): boolean {
  if (name === 'fetch') return declarations.length > 0 && declarations.every(({ node }) => node === null)
  return asking.has(name) && declarations.some(({ node }) => node !== null && isFunctionDeclaration(node))
}

/** The calls in a function's own body, or those that making an object of a class makes; not those of functions inside. */
function callsIn(node: Node): (CallExpression | NewExpression)[] {
  return ownNodes(node).filter((inner) => isCallExpression(inner) || isNewExpression(inner))
}

/** What stands between tags in braces. */
function childrenIn(node: Node): Node[] {
  return ownNodes(node).filter((inner) => isJsxExpression(inner) && !isJsxAttribute(inner.parent))
}

function ownNodes(node: Node): Node[] {
  const found: Node[] = []
  const look = (part: Node) =>
    walkCode(part, (inner) => {
      if (isFunctionLikeDeclaration(inner) || isClassLikeDeclaration(inner)) return false
      found.push(inner)
      return true
    })
  if (isFunctionLikeDeclaration(node)) node.forEachChild(look)
  if (isClassLikeDeclaration(node))
    for (const member of node.members) {
      if (isConstructorDeclaration(member)) member.forEachChild(look)
      if (isPropertyDeclaration(member) && member.initializer) look(member.initializer)
    }
  return found
}

function nameIn(callee: Node): Node {
  return isPropertyAccessExpression(callee) ? callee.name : callee
}
