import { toast } from './toast.ts'

/**
 * Shows a toast if a field cuts a text because of its `maxLength`, which browsers do without a message. The event, 'beforeinput', has the text that is
 * being inserted, for example by paste or drop.
 */
export function reportCutText({ target, data }: InputEvent): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
  // The browser inserts the text after its event.
  setTimeout(() => {
    const { value, maxLength } = target
    if (maxLength > 0 && value.length >= maxLength && !withoutSpace(value).includes(withoutSpace(data ?? '')))
      toast.error(`At most ${maxLength.toLocaleString('en-GB')} characters: the end was cut.`)
  })
}

/** Removes white space, which fields change: an input of one line replaces line breaks. */
function withoutSpace(text: string): string {
  return text.replace(/\s/g, '')
}
