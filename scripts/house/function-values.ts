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

/** Functions of packages whose result is, when called, the function that they are given. */
const passing = new Set(['useCallback', 'useEffectEvent', 'useMemo', 'memo', 'forwardRef'])

/** What an operator can answer of its operands. `&&` answers a function only from its right, and a comparison answers none. */
function operandsOf({ left, operatorToken: { kind }, right }: BinaryExpression): Node[] {
  if (kind === SyntaxKind.BarBarToken || kind === SyntaxKind.QuestionQuestionToken) return [left, right]
  const answersRight = [SyntaxKind.AmpersandAmpersandToken, SyntaxKind.CommaToken, SyntaxKind.EqualsToken]
  return answersRight.some((each) => each === kind) ? [right] : []
}

/** `functionValues(code)`: which functions of src/web an expression can stand for. */
export function functionValues(code: CompiledCode): (expression: Node) => FunctionLikeDeclaration[] {
  const members = membersByName(code)
  const known = new Map<Node, FunctionLikeDeclaration[]>()

  function valuesOf(node: Node): FunctionLikeDeclaration[] {
    const before = known.get(node)
    if (before) return before
    // A name that stands for itself ends here.
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
    if (isCallExpression(node)) return [...returned(node.expression), ...passedOn(node.expression, node.arguments)]
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

  /** The members of objects and classes that stand behind a member of an interface. */
  function implementing({ key, node }: Declaration): FunctionLikeDeclaration[] {
    const name = (node as { name?: Node } | null)?.name
    if (!name || !isIdentifier(name)) return []
    const candidates = members.get(name.text) ?? []
    return candidates
      .filter(({ wants }) => wants().some((wanted) => wanted.key === key))
      .flatMap(({ member }) => declaredFunctions({ key: '', path: '', node: member }))
  }

  function returned(callee: Node): FunctionLikeDeclaration[] {
    return valuesOf(callee).flatMap(({ body }) => {
      if (!body) return []
      return isBlock(body) ? returnsIn(body).flatMap(valuesOf) : valuesOf(body)
    })
  }

  function passedOn(callee: Node, given: readonly Node[]): FunctionLikeDeclaration[] {
    const name = isPropertyAccessExpression(callee) ? callee.name : callee
    const [first] = given
    return first && isIdentifier(name) && passing.has(name.text) ? valuesOf(first) : []
  }

  return valuesOf
}
