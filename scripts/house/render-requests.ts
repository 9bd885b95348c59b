import {
  isCallExpression,
  isFunctionDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isMethodDeclaration,
  isPropertyAssignment,
  isVariableDeclaration,
  type Node,
  type ParameterDeclaration,
} from 'typescript/unstable/ast'
import { type CompiledCode, openCompiledCode } from './compiled-code.ts'
import { functionValueFinder } from './function-values.ts'
import { walkCode } from './members.ts'
import { type Calls, callFinder, declaresRequestFunction } from './render-calls.ts'

/**
 * Finds requests that begin because React renders. Returns each function that runs during rendering and leads, through calls, to a function
 * that sends a request (`askServer`, `rpc`, `loadClient`, `fetch`), with the path of calls. These functions run during rendering:
 * components, hooks, the read functions of `useSyncExternalStore`, and functions passed for a parameter that one of these functions
 * calls (the `compute` of a view). No path leads through another such function, because that function has a path of its own.
 *
 * Included:
 * - calls of functions, methods and constructors of src/web, as the compiler resolves them;
 * - a call of an interface's member, as a call of every object literal and class that implements the interface. A path may therefore contain
 *   an implementation that the screen does not use;
 * - code after an `await`, a timer or a promise, because the render is its cause.
 *
 * Not included: effects, event handlers and `subscribe`, because they are not rendering; functions that are stored in a variable or
 * collection; getters; calls by packages, except the packages' functions in `render-calls.ts`; code loaded by `import()`, sockets and workers.
 *
 * Returns null if none of the functions that send requests exists: their names have changed.
 */
export function renderRequests(folder: string): string[] | null {
  const code = openCompiledCode(folder)
  try {
    return requestsIn(code)
  } finally {
    code.close()
  }
}

function requestsIn(code: CompiledCode): string[] | null {
  if (!code.files.some(declaresRequestFunction)) return null
  const calls = callFinder(code, functionValueFinder(code))
  const startFunctions = withCalledFunctions(code.files.flatMap(componentsAndHooks), calls)
  return [...startFunctions]
    .flatMap((startFunction) => {
      const path = pathToServer(startFunction, startFunctions, calls)
      return path ? [`${code.placeOf(startFunction)} ${path.join(' > ')}`] : []
    })
    .toSorted()
}

/**
 * Returns `componentsOrHooks` and all further functions that run during rendering: read functions of stores, and functions passed for a parameter that
 * is called during rendering.
 */
function withCalledFunctions(componentsOrHooks: readonly Node[], calls: (node: Node) => Calls): Set<Node> {
  const startFunctions = new Set(componentsOrHooks)
  const calledParameters = new Set<ParameterDeclaration>()
  /** The functions and parameters that calls pass for each parameter. */
  const passedValues = new Map<ParameterDeclaration, Set<Node>>()
  const visited = new Set<Node>()
  const waiting = [...componentsOrHooks]
  const addStartFunction = (node: Node) => {
    startFunctions.add(node)
    waiting.push(node)
  }
  const markCalled = (parameter: ParameterDeclaration) => {
    if (calledParameters.has(parameter)) return
    calledParameters.add(parameter)
    for (const value of passedValues.get(parameter) ?? []) markValueCalled(value)
  }
  const markValueCalled = (value: Node) => {
    if (isFunctionLikeDeclaration(value)) addStartFunction(value)
    else markCalled(value as ParameterDeclaration)
  }
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (visited.has(node)) continue
    visited.add(node)
    const foundCalls = calls(node)
    waiting.push(...foundCalls.calls)
    for (const reader of foundCalls.readers) addStartFunction(reader)
    for (const parameter of foundCalls.calledParameters) markCalled(parameter)
    for (const { parameter, values } of foundCalls.passed) {
      passedValues.set(parameter, new Set([...(passedValues.get(parameter) ?? []), ...values]))
      if (calledParameters.has(parameter)) for (const value of values) markValueCalled(value)
    }
  }
  return startFunctions
}

/** Returns the names on the shortest path of calls from a function to one that sends a request. Null if there is no path. */
function pathToServer(
  startFunction: Node,
  startFunctions: ReadonlySet<Node>,
  calls: (node: Node) => Calls,
): string[] | null {
  const visitedNodes = new Set([startFunction])
  const paths: { node: Node; names: string[] }[] = [{ node: startFunction, names: [nameOf(startFunction)] }]
  for (const { node, names } of paths) {
    const { requests, calls: calledFunctions } = calls(node)
    if (requests[0] !== undefined) return [...names, requests[0]].filter((name, index, all) => name !== all[index - 1])
    for (const calledFunction of calledFunctions) {
      if (visitedNodes.has(calledFunction) || startFunctions.has(calledFunction)) continue
      visitedNodes.add(calledFunction)
      paths.push({ node: calledFunction, names: [...names, nameOf(calledFunction)] })
    }
  }
  return null
}

function componentsAndHooks(file: Node): Node[] {
  const functions: Node[] = []
  walkCode(file, (node) => {
    const body = isVariableDeclaration(node) || isPropertyAssignment(node) ? functionIn(node.initializer) : node
    const isNamed = isFunctionDeclaration(node) || isMethodDeclaration(node) || body !== node
    if (!body || !isNamed || !isFunctionLikeDeclaration(body)) return
    const { name } = node as { name?: Node }
    if (name && isIdentifier(name) && isComponentOrHook(name.text, file)) functions.push(body)
  })
  return functions
}

/** Returns the value itself, or the first argument of the call that wraps it, as in `memo(…)`. */
function functionIn(node: Node | undefined): Node | undefined {
  return node && isCallExpression(node) ? node.arguments[0] : node
}

function isComponentOrHook(name: string, file: Node): boolean {
  return /^use([A-Z]|$)/.test(name) || (/^[A-Z]/.test(name) && file.getSourceFile().fileName.endsWith('.tsx'))
}

/** Returns a function's name, or 'in' and the name of the code around an unnamed function. */
function nameOf(node: Node): string {
  const { name } = node as { name?: Node }
  if (name && isIdentifier(name)) return name.text
  for (let around = node.parent; around; around = around.parent) {
    const { name: nameAround } = around as { name?: Node }
    if (nameAround && isIdentifier(nameAround))
      return isFunctionLikeDeclaration(around) ? `in ${nameAround.text}` : nameAround.text
  }
  return 'in a module'
}
