import { toast } from './toast.ts'

/**
 * From now on, shows a toast if a field cuts an inserted text because of its `maxLength`, which browsers do without a message. A text is inserted by
 * paste or drop, for example. A typed character is not reported.
 */
export function watchCutTexts(): void {
  addEventListener('beforeinput', ({ target, data }) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (isField && data && data.length > 1) reportIfCut(target, data)
  })
}

function reportIfCut(field: HTMLInputElement | HTMLTextAreaElement, inserted: string): void {
  // The browser inserts the text after its event.
  setTimeout(() => {
    const { value, maxLength } = field
    if (maxLength > 0 && value.length >= maxLength && !withoutSpace(value).includes(withoutSpace(inserted)))
      toast.error(`At most ${maxLength.toLocaleString('en-GB')} characters: the end was cut.`)
  })
}

/** Removes white space, which fields change: an input of one line replaces line breaks. */
function withoutSpace(text: string): string {
  return text.replace(/\s/g, '')
}
