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

/** A member of an object literal or class, or a property of a component, and the interfaces' members that it stands for. */
export interface Member {
  member: Node
  wants: () => readonly Declaration[]
}

/** The members of all object literals, of all classes that name an interface, and what components get, by their names. */
export function membersByName(code: CompiledCode): Map<string, Member[]> {
  const found = new Map<string, Member[]>()
  const note = (member: Node, wanted: (name: string) => readonly Declaration[]) => {
    const { name } = member as { name?: Node }
    const isMember = isMethodDeclaration(member) || isPropertyDeclaration(member) || isPropertyAssignment(member)
    const isGiven = isShorthandPropertyAssignment(member) || isJsxAttribute(member)
    if (!name || !isIdentifier(name) || !(isMember || isGiven)) return
    let known: readonly Declaration[] | undefined
    const wants = () => (known ??= wanted(name.text))
    found.set(name.text, [...(found.get(name.text) ?? []), { member, wants }])
  }
  for (const file of code.files)
    walkCode(file, (node) => {
      if (isObjectLiteralExpression(node) || isJsxAttributes(node))
        for (const member of node.properties) note(member, (name) => code.wantedMember(node, name))
      if (isClassLikeDeclaration(node)) {
        const types = (node.heritageClauses ?? []).flatMap((clause) => [...clause.types])
        for (const member of types.length > 0 ? node.members : [])
          note(member, (name) => types.flatMap((type) => code.memberOf(type, name)))
      }
    })
  return found
}

/** Calls `visit` with every node, parents before children. Where it returns false, the node's children are left out. */
export function walkCode(node: Node, visit: (node: Node) => boolean | void): void {
  if (visit(node) === false) return
  node.forEachChild((child) => walkCode(child, visit))
}

/** What a function's own `return` statements give. */
export function returnsIn(body: Node): Node[] {
  const found: Node[] = []
  walkCode(body, (node) => {
    if (isReturnStatement(node) && node.expression) found.push(node.expression)
    return !isFunctionLikeDeclaration(node)
  })
  return found
}
