import { isApple } from '#web/lib/is-apple.ts'
import { Kbd } from '#web/ui/kbd.tsx'

/** Shows, on a dialog's filled button, the keys that submit the form from any field. */
export function SubmitKeys() {
  return (
    <>
      <Kbd on="accent">{isApple ? '⌘' : 'Ctrl'}</Kbd>
      <Kbd on="accent">↵</Kbd>
    </>
  )
}
