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

/** The calls in a function's own body. */
export interface Calls {
  /** Names of the called functions that send requests to the server. */
  requests: string[]
  /**
   * Functions and classes of src/web that the function calls or instantiates, the callbacks that it passes to `callbackCallers`, and the
   * functions in braces between its JSX tags.
   */
  calls: Node[]
  /** The read functions that the function passes to `useSyncExternalStore`. React calls them while it renders. */
  readers: Node[]
  /** The parameters that the function calls: its own, or those of an enclosing function. */
  calledParameters: ParameterDeclaration[]
  /** For each parameter of a called function: the functions that are passed for it, and the parameters of the caller that are passed on. */
  passed: { parameter: ParameterDeclaration; values: Node[] }[]
}

/** Functions of src/web that send requests to the server. */
const requestFunctions = new Set(['askServer', 'loadClient', 'rpc'])

/** True if a file declares one of the functions that send requests. */
export function declaresRequestFunction({ statements }: SourceFile): boolean {
  return statements.some(
    (statement) =>
      isFunctionDeclaration(statement) && statement.name !== undefined && requestFunctions.has(statement.name.text),
  )
}

/** Functions of packages and of the browser that call the functions passed to them, at once or later. */
const callbackCallers = new Set(
  [
    'map flatMap filter forEach reduce some every find findIndex findLast sort toSorted from replace replaceAll',
    'then catch finally Promise request transaction',
    'setTimeout setInterval queueMicrotask requestAnimationFrame requestIdleCallback',
    'useMemo useState useReducer startTransition',
  ].flatMap((names) => names.split(' ')),
)

/** Returns a memoised function that finds the calls of a function, or of a class when it is instantiated. */
export function callFinder(code: CompiledCode, valuesOf: (expression: Node) => Node[]): (node: Node) => Calls {
  const callsByFunction = new Map<Node, Calls>()
  return (node) => {
    const knownCalls = callsByFunction.get(node)
    if (knownCalls) return knownCalls
    const ownCalls: Calls = { requests: [], calls: [], readers: [], calledParameters: [], passed: [] }
    callsByFunction.set(node, ownCalls)
    const calls = callsIn(node)
    code.prepare(calls.map(({ expression }) => nameIn(expression)))
    for (const call of calls) addCall(call, ownCalls)
    // A component calls its child functions while it renders.
    ownCalls.calls.push(...childrenIn(node).flatMap(valuesOf))
    return ownCalls
  }

  function addCall(call: CallExpression | NewExpression, ownCalls: Calls): void {
    const name = nameIn(call.expression)
    const calledName = isIdentifier(name) ? name.text : ''
    const declarations = code.declarationsOf(name)
    const args = call.arguments ?? []
    const declaredNodes = declarations.map(({ node }) => node).filter((node) => node !== null)
    if (sendsRequest(calledName, declarations)) return void ownCalls.requests.push(calledName)
    ownCalls.calledParameters.push(...declaredNodes.filter(isParameterDeclaration))
    if (isNewExpression(call)) ownCalls.calls.push(...declaredNodes.filter(isClassLikeDeclaration))
    const callees = valuesOf(call.expression)
    ownCalls.calls.push(...callees)
    for (const callee of callees)
      if (isFunctionLikeDeclaration(callee))
        callee.parameters.forEach((parameter, index) => {
          const argument = args[index]
          if (argument) ownCalls.passed.push({ parameter, values: [...valuesOf(argument), ...parametersIn(argument)] })
        })
    if (declarations.some(({ node }) => node !== null)) return
    if (calledName === 'useSyncExternalStore') ownCalls.readers.push(...args.slice(1).flatMap(valuesOf))
    if (!callbackCallers.has(calledName)) return
    ownCalls.calls.push(...args.flatMap(valuesOf))
    ownCalls.calledParameters.push(...args.flatMap(parametersIn))
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

function sendsRequest(name: string, declarations: readonly Declaration[]): boolean {
  if (name === 'fetch') return declarations.length > 0 && declarations.every(({ node }) => node === null)
  return requestFunctions.has(name) && declarations.some(({ node }) => node !== null && isFunctionDeclaration(node))
}

/** Returns the calls in a function's own body, or in the initialisation of a class, without the calls of nested functions. */
function callsIn(node: Node): (CallExpression | NewExpression)[] {
  return ownNodes(node).filter((inner) => isCallExpression(inner) || isNewExpression(inner))
}

/** Returns the expressions in braces between JSX tags. */
function childrenIn(node: Node): Node[] {
  return ownNodes(node).filter((inner) => isJsxExpression(inner) && !isJsxAttribute(inner.parent))
}

function ownNodes(node: Node): Node[] {
  const nodes: Node[] = []
  const addNodes = (part: Node) =>
    walkCode(part, (inner) => {
      if (isFunctionLikeDeclaration(inner) || isClassLikeDeclaration(inner)) return false
      nodes.push(inner)
      return true
    })
  if (isFunctionLikeDeclaration(node)) node.forEachChild(addNodes)
  if (isClassLikeDeclaration(node))
    for (const member of node.members) {
      if (isConstructorDeclaration(member)) member.forEachChild(addNodes)
      if (isPropertyDeclaration(member) && member.initializer) addNodes(member.initializer)
    }
  return nodes
}

function nameIn(callee: Node): Node {
  return isPropertyAccessExpression(callee) ? callee.name : callee
}
