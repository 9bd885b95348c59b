import { searchedWords } from '#web/data/query/search-text.ts'
import { markedParts } from './marked-parts.ts'

/**
 * Marks the searched words in the elements with `data-searched` under `root`, also in elements that are added later, until the returned
 * function is called. The marks are a CSS custom highlight (`searched` in app.css), so no element is changed.
 */
export function markWords(root: HTMLElement, search: string): () => void {
  const forms = searchedWords(search).flat()
  const highlight = new Highlight()
  CSS.highlights.set('searched', highlight)
  let frame = 0
  const mark = () => {
    frame = 0
    highlight.clear()
    for (const element of root.querySelectorAll('[data-searched]'))
      for (const range of rangesIn(element, forms)) highlight.add(range)
  }
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(mark)
  })
  observer.observe(root, { childList: true, subtree: true, characterData: true })
  mark()
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    if (CSS.highlights.get('searched') === highlight) CSS.highlights.delete('searched')
  }
}

/** Returns the parts of an element's text that match one of `forms`. A part may span several text nodes. */
function rangesIn(element: Element, forms: readonly string[]): Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: { node: Node; start: number }[] = []
  let text = ''
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    nodes.push({ node, start: text.length })
    text += node.nodeValue ?? ''
  }
  return markedParts(text, forms).flatMap(([start, end]) => {
    const [first, last] = [
      nodes.findLast((entry) => entry.start <= start),
      nodes.findLast((entry) => entry.start < end),
    ]
    if (!first || !last) return []
    const range = document.createRange()
    range.setStart(first.node, start - first.start)
    range.setEnd(last.node, end - last.start)
    return [range]
  })
}
