import { parseSync } from 'rolldown/utils'
import { isBlock, type Node, walk } from './syntax.ts'

/**
 * Returns the text of a file, changed so that every block that runs adds `<file>:<offset of the block in the original>` to
 * the set `globalThis.__coverage` (coverage-setup.ts).
 */
export function withCoverageMarks(file: string, text: string): string {
  const inserts: { at: number; text: string; order: number }[] = []
  walk(parseSync(file, text).program as unknown as Node, (node, parents) => {
    const parent = parents.at(-1)
    if (!isBlock(node, parent)) return
    const mark = `globalThis.__coverage?.add(${JSON.stringify(`${file}:${node.start}`)})`
    if (node.type === 'BlockStatement') return void inserts.push({ at: node.start + 1, text: `${mark};`, order: 1 })
    const isStatement = parent?.type === 'IfStatement'
    inserts.push({ at: node.start, text: isStatement ? `{${mark};` : `(${mark},`, order: 1 })
    inserts.push({ at: node.end, text: isStatement ? '}' : ')', order: 0 })
  })
  // Texts are inserted from the end, so that offsets stay valid. At the same offset, closing texts come before opening ones.
  const ordered = inserts.map((insert, index) => ({ ...insert, index }))
  ordered.sort((a, b) => b.at - a.at || b.order - a.order || (a.order === 1 ? b.index - a.index : a.index - b.index))
  return ordered.reduce((result, insert) => result.slice(0, insert.at) + insert.text + result.slice(insert.at), text)
}
