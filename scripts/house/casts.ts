import { isNode, type ParsedFile, placeOf, walkAll } from './parsed-files.ts'

/** Places where the author overrules the compiler: `x as T`, `<T>x` and `x!`. `as const` and `satisfies` say nothing against it. */
export function casts(files: readonly ParsedFile[]): string[] {
  return files.flatMap((file) => {
    const found: string[] = []
    walkAll(file.program, (node) => {
      const isCast = /^TS(As|NonNull)Expression$|^TSTypeAssertion$/.test(node.type)
      if (isCast && !isConst(node.typeAnnotation)) found.push(placeOf(file, node))
    })
    return found
  })
}

function isConst(type: unknown): boolean {
  return isNode(type) && type.type === 'TSTypeReference' && isNode(type.typeName) && type.typeName.name === 'const'
}
