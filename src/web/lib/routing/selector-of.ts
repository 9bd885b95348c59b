/**
 * Returns a CSS selector that finds this element by its position in the document, as long as nothing is inserted before it: 'html >
 * body:nth-child(2) > …'.
 */
export function selectorOf(element: Element): string {
  const parent = element.parentElement
  if (!parent) return element.localName
  const position = Array.from(parent.children).indexOf(element) + 1
  return `${selectorOf(parent)} > ${element.localName}:nth-child(${position})`
}
