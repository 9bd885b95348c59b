import {
  type BinaryExpression,
  type FunctionLikeDeclaration,
  isArrowFunction,
  isAsExpression,
  isBinaryExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isJsxAttribute,
  isJsxExpression,
  isMethodDeclaration,
  isMethodSignatureDeclaration,
  isNonNullExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isPropertyDeclaration,
  isPropertySignatureDeclaration,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isVariableDeclaration,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast'
import type { CompiledCode, Declaration } from './compiled-code.ts'
import { membersByName, returnsIn } from './members.ts'

/** Functions of packages. The function that is passed as their first argument counts as their result. */
const passThrough = new Set(['useCallback', 'useEffectEvent', 'useMemo', 'memo', 'forwardRef'])

/**
 * Returns the operands that can be the value of the expression. With `&&`, only the right operand can be a function. A comparison has no such
 * operand.
 */
function operandsOf({ left, operatorToken: { kind }, right }: BinaryExpression): Node[] {
  if (kind === SyntaxKind.BarBarToken || kind === SyntaxKind.QuestionQuestionToken) return [left, right]
  const yieldsRight = [SyntaxKind.AmpersandAmpersandToken, SyntaxKind.CommaToken, SyntaxKind.EqualsToken]
  return yieldsRight.some((each) => each === kind) ? [right] : []
}

/** Returns a function that finds the functions of src/web that an expression can evaluate to. */
export function functionValueFinder(code: CompiledCode): (expression: Node) => FunctionLikeDeclaration[] {
  const members = membersByName(code)
  const known = new Map<Node, FunctionLikeDeclaration[]>()

  function valuesOf(node: Node): FunctionLikeDeclaration[] {
    const before = known.get(node)
    if (before) return before
    // Prevents endless recursion for a name that refers to itself.
    known.set(node, [])
    const found = [...new Set(find(node))]
    known.set(node, found)
    return found
  }

  function find(node: Node): FunctionLikeDeclaration[] {
    if (isArrowFunction(node) || isFunctionExpression(node)) return [node]
    if (
      isParenthesizedExpression(node) ||
      isAsExpression(node) ||
      isSatisfiesExpression(node) ||
      isNonNullExpression(node)
    )
      return valuesOf(node.expression)
    if (isJsxExpression(node)) return node.expression ? valuesOf(node.expression) : []
    if (isConditionalExpression(node)) return [...valuesOf(node.whenTrue), ...valuesOf(node.whenFalse)]
    if (isBinaryExpression(node)) return operandsOf(node).flatMap(valuesOf)
    if (isIdentifier(node)) return code.declarationsOf(node).flatMap(declaredFunctions)
    if (isPropertyAccessExpression(node)) return code.declarationsOf(node.name).flatMap(declaredFunctions)
    if (isCallExpression(node)) return [...returned(node.expression), ...passedThrough(node.expression, node.arguments)]
    return []
  }

  function declaredFunctions(declaration: Declaration): FunctionLikeDeclaration[] {
    const { node } = declaration
    if (!node) return []
    if (isFunctionDeclaration(node) || isMethodDeclaration(node)) return node.body ? [node] : []
    if ((isVariableDeclaration(node) || isPropertyDeclaration(node) || isPropertyAssignment(node)) && node.initializer)
      return valuesOf(node.initializer)
    if (isShorthandPropertyAssignment(node)) return valuesOf(node.name)
    if (isJsxAttribute(node) && node.initializer) return valuesOf(node.initializer)
    if (isMethodSignatureDeclaration(node) || isPropertySignatureDeclaration(node)) return implementing(declaration)
    if (isBindingElement(node) && node.name && isIdentifier(node.name)) {
      const member = node.propertyName && isIdentifier(node.propertyName) ? node.propertyName.text : node.name.text
      return code.memberOf(node.parent, member).flatMap(declaredFunctions)
    }
    return []
  }

  /** Returns the members of objects and classes that implement a member of an interface. */
  function implementing({ key, node }: Declaration): FunctionLikeDeclaration[] {
    const name = (node as { name?: Node } | null)?.name
    if (!name || !isIdentifier(name)) return []
    const candidates = members.get(name.text) ?? []
    return candidates
      .filter(({ expected }) => expected().some((declaration) => declaration.key === key))
      .flatMap(({ member }) => declaredFunctions({ key: '', path: '', node: member }))
  }

  function returned(callee: Node): FunctionLikeDeclaration[] {
    return valuesOf(callee).flatMap(({ body }) => {
      if (!body) return []
      return isBlock(body) ? returnsIn(body).flatMap(valuesOf) : valuesOf(body)
    })
  }

  function passedThrough(callee: Node, args: readonly Node[]): FunctionLikeDeclaration[] {
    const name = isPropertyAccessExpression(callee) ? callee.name : callee
    const [first] = args
    return first && isIdentifier(name) && passThrough.has(name.text) ? valuesOf(first) : []
  }

  return valuesOf
}
