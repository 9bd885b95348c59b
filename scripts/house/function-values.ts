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

/** Functions of packages whose result counts as the function that is their first argument. */
const passThroughFunctions = new Set(['useCallback', 'useEffectEvent', 'useMemo', 'memo', 'forwardRef'])

/**
 * Returns the operands from which the expression can get a function as its value. With `&&`, a comma or `=`, that is only the right operand. A
 * comparison has no such operand.
 */
function valueOperands({ left, operatorToken: { kind }, right }: BinaryExpression): Node[] {
  if (kind === SyntaxKind.BarBarToken || kind === SyntaxKind.QuestionQuestionToken) return [left, right]
  const yieldsRight = [SyntaxKind.AmpersandAmpersandToken, SyntaxKind.CommaToken, SyntaxKind.EqualsToken]
  return yieldsRight.some((operator) => operator === kind) ? [right] : []
}

/** Returns a function that finds the functions of src/web that an expression can evaluate to. */
export function functionValueFinder(code: CompiledCode): (expression: Node) => FunctionLikeDeclaration[] {
  const members = membersByName(code)
  const functionsOfNode = new Map<Node, FunctionLikeDeclaration[]>()

  function valuesOf(node: Node): FunctionLikeDeclaration[] {
    const knownFunctions = functionsOfNode.get(node)
    if (knownFunctions) return knownFunctions
    // Prevents endless recursion for a name that refers to itself.
    functionsOfNode.set(node, [])
    const functions = [...new Set(find(node))]
    functionsOfNode.set(node, functions)
    return functions
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
    if (isBinaryExpression(node)) return valueOperands(node).flatMap(valuesOf)
    if (isIdentifier(node)) return code.declarationsOf(node).flatMap(declaredFunctions)
    if (isPropertyAccessExpression(node)) return code.declarationsOf(node.name).flatMap(declaredFunctions)
    if (isCallExpression(node))
      return [...returnedFunctions(node.expression), ...passedThroughFunctions(node.expression, node.arguments)]
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
    if (isMethodSignatureDeclaration(node) || isPropertySignatureDeclaration(node)) return implementations(declaration)
    if (isBindingElement(node) && node.name && isIdentifier(node.name)) {
      const member = node.propertyName && isIdentifier(node.propertyName) ? node.propertyName.text : node.name.text
      return code.memberOf(node.parent, member).flatMap(declaredFunctions)
    }
    return []
  }

  /** Returns the members of objects and classes that implement a member of an interface. */
  function implementations({ key, node }: Declaration): FunctionLikeDeclaration[] {
    const name = (node as { name?: Node } | null)?.name
    if (!name || !isIdentifier(name)) return []
    const candidates = members.get(name.text) ?? []
    return candidates
      .filter(({ interfaceMembers }) => interfaceMembers().some((declaration) => declaration.key === key))
      .flatMap(({ member }) => declaredFunctions({ key: '', path: '', node: member }))
  }

  function returnedFunctions(callee: Node): FunctionLikeDeclaration[] {
    return valuesOf(callee).flatMap(({ body }) => {
      if (!body) return []
      return isBlock(body) ? returnsIn(body).flatMap(valuesOf) : valuesOf(body)
    })
  }

  function passedThroughFunctions(callee: Node, args: readonly Node[]): FunctionLikeDeclaration[] {
    const name = isPropertyAccessExpression(callee) ? callee.name : callee
    const [firstArgument] = args
    return firstArgument && isIdentifier(name) && passThroughFunctions.has(name.text) ? valuesOf(firstArgument) : []
  }

  return valuesOf
}
