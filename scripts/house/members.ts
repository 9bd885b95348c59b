import {
  isClassLikeDeclaration,
  isFunctionLikeDeclaration,
  isIdentifier,
  isJsxAttribute,
  isJsxAttributes,
  isMethodDeclaration,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isPropertyDeclaration,
  isReturnStatement,
  isShorthandPropertyAssignment,
  type Node,
} from 'typescript/unstable/ast'
import type { CompiledCode, Declaration } from './compiled-code.ts'

/** A member of an object literal or class, or a prop of a component. */
export interface Member {
  member: Node
  /** Returns the declarations of this member in the interfaces or base types that it implements. */
  interfaceMembers: () => readonly Declaration[]
}

/** Returns the members of all object literals and of all classes with a base type, and all props of components, by name. */
export function membersByName(code: CompiledCode): Map<string, Member[]> {
  const membersOfName = new Map<string, Member[]>()
  const addMember = (member: Node, findExpected: (name: string) => readonly Declaration[]) => {
    const { name } = member as { name?: Node }
    const isMember = isMethodDeclaration(member) || isPropertyDeclaration(member) || isPropertyAssignment(member)
    const isShorthandOrProp = isShorthandPropertyAssignment(member) || isJsxAttribute(member)
    if (!name || !isIdentifier(name) || !(isMember || isShorthandOrProp)) return
    let knownExpected: readonly Declaration[] | undefined
    const interfaceMembers = () => (knownExpected ??= findExpected(name.text))
    membersOfName.set(name.text, [...(membersOfName.get(name.text) ?? []), { member, interfaceMembers }])
  }
  for (const file of code.files)
    walkCode(file, (node) => {
      if (isObjectLiteralExpression(node) || isJsxAttributes(node))
        for (const member of node.properties) addMember(member, (name) => code.expectedMember(node, name))
      if (isClassLikeDeclaration(node)) {
        const types = (node.heritageClauses ?? []).flatMap((clause) => [...clause.types])
        for (const member of types.length > 0 ? node.members : [])
          addMember(member, (name) => types.flatMap((type) => code.memberOf(type, name)))
      }
    })
  return membersOfName
}

/** Calls `visit` with every node, parents before children. If `visit` returns false, the node's children are skipped. */
export function walkCode(node: Node, visit: (node: Node) => boolean | void): void {
  if (visit(node) === false) return
  node.forEachChild((child) => walkCode(child, visit))
}

/** Returns the expressions of a function's own `return` statements. */
export function returnsIn(body: Node): Node[] {
  const returnedExpressions: Node[] = []
  walkCode(body, (node) => {
    if (isReturnStatement(node) && node.expression) returnedExpressions.push(node.expression)
    return !isFunctionLikeDeclaration(node)
  })
  return returnedExpressions
}
