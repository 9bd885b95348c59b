import { isNode, type ParsedFile, placeOf, walkAll } from './parsed-files.ts'

/** Returns the places of casts and non-null assertions: `x as T`, `<T>x` and `x!`. `as const` and `satisfies` do not count. */
export function casts(files: readonly ParsedFile[]): string[] {
  return files.flatMap((file) => {
    const places: string[] = []
    walkAll(file.program, (node) => {
      const isCast = /^TS(As|NonNull)Expression$|^TSTypeAssertion$/.test(node.type)
      if (isCast && !isConst(node.typeAnnotation)) places.push(placeOf(file, node))
    })
    return places
  })
}

function isConst(type: unknown): boolean {
  return isNode(type) && type.type === 'TSTypeReference' && isNode(type.typeName) && type.typeName.name === 'const'
}
