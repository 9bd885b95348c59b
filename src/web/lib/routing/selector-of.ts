/** A CSS selector that finds this element by its place in the document, as long as nothing is put before it: 'html > body:nth-child(2) > …'. */
export function selectorOf(element: Element): string {
  const parent = element.parentElement
  if (!parent) return element.localName
  const place = Array.from(parent.children).indexOf(element) + 1
  return `${selectorOf(parent)} > ${element.localName}:nth-child(${place})`
}
