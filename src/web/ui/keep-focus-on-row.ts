import { giveFocus } from './focus.ts'
import { linkAtRemovedRow } from './hold-focus.ts'
import { watchFocus } from './keep-focus.ts'

/**
 * When the focused row of a list gets another element, the same control of the new element gets the focus, so that the next key acts on the
 * same entry. If the entry has left the list, the link of the row that takes its place gets the focus; if there is none, the link of the row
 * before it. Rows have `data-row` and `data-index`; their link has `data-row-focus` and an id. Returns the function that ends this.
 */
export function keepFocusOnRow(list: HTMLElement | null): (() => void) | undefined {
  if (!list) return undefined
  let control: Element | null = null
  let row: HTMLElement | null = null
  let controlIndex = 0
  const linkOf = (each: Element) => each.querySelector('[data-row-focus]')
  const controlsOf = (each: Element) => [...each.querySelectorAll('a, button, input')]
  return watchFocus(list, {
    focused: (element) => {
      control = element
      row = element.closest('[data-row]')
      controlIndex = row ? controlsOf(row).indexOf(element) : 0
    },
    left: () => {
      row = null
    },
    lost: () => {
      // A control that is still in the page has lost the focus without being removed, so the focus may go elsewhere, for example to a restored row.
      if (!row || control?.isConnected) return
      const focusId = linkOf(row)?.id
      const sameRow = [...list.querySelectorAll('[data-row]')].find((each) => linkOf(each)?.id === focusId)
      if (sameRow && giveFocus(controlsOf(sameRow)[controlIndex])) return
      giveFocus(sameRow ? linkOf(sameRow) : linkAtRemovedRow(row))
    },
  })
}
