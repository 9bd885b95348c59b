import { type ComponentPropsWithRef, useEffect, useRef } from 'react'
import { limits } from '#shared/limits.ts'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { type ChangeMentions, useMentions } from './use-mentions.tsx'

interface FirstNoteProps extends Omit<ComponentPropsWithRef<'textarea'>, 'ref'> {
  ref: (element: HTMLTextAreaElement | null) => void
  /** Called with a function that returns the mentioned people after a choice or an edit. */
  onMentions: (change: ChangeMentions) => void
}

/** The field for the first note of a new record. '@' completes the names of members. */
export function FirstNote({ ref, onMentions, onBlur, ...rest }: FirstNoteProps) {
  const textarea = useRef<HTMLTextAreaElement>(null)
  const mentions = useMentions(textarea, onMentions)
  // The browser scrolls only the first line of a focused field into view. This effect scrolls the whole field into view.
  useEffect(() => {
    textarea.current?.closest('.field-frame')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <Field label="Note">
      <Textarea
        {...rest}
        {...mentions.field}
        ref={(element) => {
          textarea.current = element
          ref(element)
        }}
        className="scroll-my-6"
        maxLength={limits.notes.body}
        placeholder="What you know so far"
        onKeyDown={(event) => void mentions.onKeyDown(event)}
        onBlur={(event) => {
          mentions.close()
          onBlur?.(event)
        }}
      />
      {mentions.list}
    </Field>
  )
}
