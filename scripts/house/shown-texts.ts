import { type ParsedFile, placeOf, walkAll } from './parsed-files.ts'

/** Texts that the specification prescribes. */
const specifiedTexts = ['Search contacts...', 'Search companies...', 'Uploading...']

/** Patterns that no text on screen may match, and what to write instead. */
const rules: readonly { fault: RegExp; instead: string }[] = [
  { fault: /[a-z]\.\.\.|\.\.\.[a-z]/i, instead: 'one sign, …' },
  { fault: /\be-mails?\b/i, instead: 'email' },
  { fault: /\b[a-z]+_(?:date|at|id|name)\b/, instead: 'words instead of a column' },
  { fault: /\bDemand\b/, instead: 'Require' },
]

/** Finds texts on screen that break a rule: 'src/web/x.tsx:7: “Loading...” (one sign, …)'. */
export function textFaults(files: readonly ParsedFile[]): string[] {
  return files.flatMap((file) => {
    const faults: string[] = []
    walkAll(file.program, (node) => {
      if (node.type === 'ImportDeclaration') return false
      const text = textOf(node)
      if (text === null || specifiedTexts.includes(text.trim())) return
      for (const { fault, instead } of rules)
        if (fault.test(text)) faults.push(`${placeOf(file, node)}: “${text.trim()}” (${instead})`)
    })
    return faults
  })
}

/**
 * Returns the text on screen of a node: text between tags, or a string that begins like a sentence or a label, or with a space and a letter (the
 * rest of a sentence). Null for other nodes.
 */
function textOf({ type, value }: { type: string; value?: unknown }): string | null {
  if (type === 'JSXText' && typeof value === 'string') return value
  const text = type === 'TemplateElement' ? cookedText(value) : value
  if (typeof text !== 'string' || !['Literal', 'TemplateElement'].includes(type)) return null
  return /^\P{L}*\p{Lu}\p{Ll}/u.test(text) || /^ \p{L}/u.test(text) ? text : null
}

function cookedText(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'cooked' in value ? value.cooked : null
}
