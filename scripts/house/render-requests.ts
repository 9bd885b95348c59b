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
import { type CompiledCode, compiledCode } from './compiled-code.ts'
import { functionValues } from './function-values.ts'
import { walkCode } from './members.ts'
import { type Calls, callsOf, declaresAsking } from './render-calls.ts'

/**
 * Requests that begin because React renders: the functions that run while it does and from whose bodies calls lead to one that asks the
 * server (`askServer`, `rpc`, `loadClient`, `fetch`), each with the way there. A function that runs while React renders is a component,
 * a hook, a function that `useSyncExternalStore` reads with, and one that is given to a parameter which any of these calls (the `compute`
 * of a view). The way from one ends at the next: that one is counted itself.
 *
 * What it sees: calls of functions, methods and constructors of src/web as the compiler resolves them; calls of an interface's member, as
 * calls of every object literal and class that stands for it; what comes after an `await`, a timer or a promise, as it begins because
 * of the render. What it does not see: effects, event handlers and `subscribe`, as they are no rendering; functions that are kept in a
 * variable or collection and called from there; getters;
 * what a package calls, but for those in `render-calls.ts`; code that is loaded later (`import()`), sockets and workers. An interface's
 * members stand for each other: the way may lead by another list's entries than the screen's own. Null where none of the
 * functions that ask is there: their names have changed.
 */
export function renderRequests(folder: string): string[] | null {
  const code = compiledCode(folder)
  try {
    return requestsIn(code)
  } finally {
    code.close()
  }
}

function requestsIn(code: CompiledCode): string[] | null {
  if (!code.files.some(declaresAsking)) return null
  const calls = callsOf(code, functionValues(code))
  const begins = withWhatTheyCall(code.files.flatMap(componentsAndHooks), calls)
  return [...begins]
    .flatMap((begin) => {
      const way = wayToServer(begin, begins, calls)
      return way ? [`${code.placeOf(begin)} ${way.join(' > ')}`] : []
    })
    .toSorted()
}

/** Adds what React reads with, and what is given to a parameter that is called meanwhile, until there is no more. */
function withWhatTheyCall(first: readonly Node[], calls: (node: Node) => Calls): Set<Node> {
  const begins = new Set(first)
  const called = new Set<ParameterDeclaration>()
  const given = new Map<ParameterDeclaration, Set<Node>>()
  const reached = new Set<Node>()
  const waiting = [...first]
  const begin = (node: Node) => {
    begins.add(node)
    waiting.push(node)
  }
  const call = (parameter: ParameterDeclaration) => {
    if (called.has(parameter)) return
    called.add(parameter)
    for (const value of given.get(parameter) ?? []) give(value)
  }
  const give = (value: Node) => {
    if (isFunctionLikeDeclaration(value)) begin(value)
    else call(value as ParameterDeclaration)
  }
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (reached.has(node)) continue
    reached.add(node)
    const found = calls(node)
    waiting.push(...found.calls)
    for (const shown of found.shown) begin(shown)
    for (const parameter of found.called) call(parameter)
    for (const { parameter, values } of found.given) {
      given.set(parameter, new Set([...(given.get(parameter) ?? []), ...values]))
      if (called.has(parameter)) for (const value of values) give(value)
    }
  }
  return begins
}

/** The names on the shortest way from a function to one that asks, which is the last; null where there is none. */
function wayToServer(begin: Node, begins: ReadonlySet<Node>, calls: (node: Node) => Calls): string[] | null {
  const seen = new Set([begin])
  const ways: { node: Node; names: string[] }[] = [{ node: begin, names: [nameOf(begin)] }]
  for (const { node, names } of ways) {
    const { asks, calls: next } = calls(node)
    if (asks[0] !== undefined) return [...names, asks[0]].filter((name, index, all) => name !== all[index - 1])
    for (const one of next) {
      if (seen.has(one) || begins.has(one)) continue
      seen.add(one)
      ways.push({ node: one, names: [...names, nameOf(one)] })
    }
  }
  return null
}

function componentsAndHooks(file: Node): Node[] {
  const found: Node[] = []
  walkCode(file, (node) => {
    const body = isVariableDeclaration(node) || isPropertyAssignment(node) ? functionIn(node.initializer) : node
    const isNamed = isFunctionDeclaration(node) || isMethodDeclaration(node) || body !== node
    if (!body || !isNamed || !isFunctionLikeDeclaration(body)) return
    const { name } = node as { name?: Node }
    if (name && isIdentifier(name) && isShown(name.text, file)) found.push(body)
  })
  return found
}

/** The function itself, or that in `memo(…)`. */
function functionIn(node: Node | undefined): Node | undefined {
  return node && isCallExpression(node) ? node.arguments[0] : node
}

function isShown(name: string, file: Node): boolean {
  return /^use([A-Z]|$)/.test(name) || (/^[A-Z]/.test(name) && file.getSourceFile().fileName.endsWith('.tsx'))
}

/** A function's name; of one without a name, what it stands in. */
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
