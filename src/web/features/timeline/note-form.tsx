import { type ReactNode, useContext, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { afterDraft, type MentionedPerson, noteTooLongMessage, storedText, typedText } from '#web/crm/mentions.ts'
import { NoteRequestContext } from '#web/crm/note-request.ts'
import { useInSight } from './use-in-sight.ts'
import { useFocusOnRequest } from './use-focus-on-request.ts'
import { useDraft } from '#web/crm/use-draft.ts'
import type { NewNote } from '#web/data/notes.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { knownMembers } from '#web/data/people/people.ts'
import type { NoteKind } from '#web/data/server/rows.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { typedProblem, typedTextOf } from '#web/lib/typed-date.ts'
import { limits } from '#shared/limits.ts'
import { formatCount } from '#web/lib/count.ts'
import { SubmitKeys } from '#web/crm/submit-keys.tsx'
import { Button } from '#web/ui/button.tsx'
import { DateInput } from '#web/ui/date-input.tsx'
import { NoteKindChoice } from './note-kind-choice.tsx'
import { isComplete } from './note-kinds.tsx'
import { NoteField } from './note-field.tsx'
import { momentOf } from './note-moment.ts'
import type { TypedNote } from './typed-note.ts'

interface NoteFormProps {
  initial: TypedNote
  /** The name under which the typed text is stored as a draft; null if no draft is stored. */
  draft: string | null
  /** Whether the form edits a stored note. Then all its fields are shown at once, and the text has the focus. */
  isEdit?: boolean
  /** Renders the content of the submit button. */
  submit: (kind: NoteKind) => ReactNode
  /** Resolves to false if the note was refused: then its text returns to the form. */
  onSubmit: (note: NewNote) => Promise<boolean>
  /** Called on Escape, which keeps the draft, and on 'Cancel', after the draft is deleted. */
  onCancel?: () => void
}

/** The form for a note: a single line that unfolds when it is used, with text, kind, and the time of a call, meeting or email. */
export function NoteForm({ initial: stored, draft, isEdit = false, submit, onSubmit, onCancel }: NoteFormProps) {
  const device = useDevice()
  // Existing mentions keep their names, even if the people have been renamed or have left.
  const [{ initial, mentioned }] = useState(() => {
    const { text, mentioned } = typedText(stored.body)
    return { initial: { ...stored, body: text }, mentioned }
  })
  const [mentionedPeople, setMentionedPeople] = useState<readonly MentionedPerson[]>(mentioned)
  const form = useForm<TypedNote>({ defaultValues: initial })
  const { control, reset, setValue, getValues, setError, handleSubmit, formState } = form
  // `useWatch` must come before `useDraft`, which loads the draft. Otherwise `useWatch` misses the draft's values.
  const [kind, body] = useWatch({ control, name: ['kind', 'body'] })
  useDraft(form, draft, initial)
  // A loaded draft replaces the text without an edit in the field. Only an edit reports the mentions of the new text, so they are computed here.
  if (mentionedPeople === mentioned && body !== initial.body)
    setMentionedPeople(afterDraft(mentioned, initial.body, body))
  // The form does not close when it loses the focus. Otherwise a button below the form would move away from under the pointer.
  const [isUsed, setUsed] = useState(isEdit)
  const errorId = useId()
  const isOpen = isEdit || isUsed || body !== ''
  const isPhone = useNarrow()
  const formElement = useRef<HTMLFormElement>(null)
  useInSight(formElement, isUsed)
  const { count, kind: requestedKind } = useContext(NoteRequestContext)
  const requests = isEdit ? 0 : count
  // A draft without a text (only the kind and time of a call) is deleted.
  useLayoutEffect(() => {
    if (!isEdit && getValues('body') === '') reset(initial)
  }, [isEdit, getValues, reset, initial])
  const [handledRequests, setHandledRequests] = useState(0)
  if (requests !== handledRequests) {
    setHandledRequests(requests)
    setUsed(true)
  }
  const chooseRequestedKind = useEffectEvent(() => getValues('body') === '' && choose(requestedKind))
  useLayoutEffect(() => {
    if (requests > 0) chooseRequestedKind()
  }, [requests])
  // For a call on the phone the dialler opens now. With the focus in the field, the keyboard would cover the dialler.
  useFocusOnRequest(formElement, requests, !(isPhone && requestedKind === 'call'))
  const timeError = formState.errors.when?.message
  const bodyError = formState.errors.body?.message

  async function send(typed: TypedNote) {
    const { kind: chosen, when } = typed
    const timeProblem = chosen === 'note' ? null : typedProblem(when, true)
    if (!isComplete(chosen, typed.body)) return
    if (timeProblem !== null) return setError('when', { message: timeProblem })
    const members = typed.body.includes('@') ? await knownMembers(device) : []
    // While the members were read, the person may have typed more, or submitted the text a second time. Then this call sends nothing.
    if (getValues('body') !== typed.body) return
    const text = storedText(typed.body, members, mentionedPeople)
    const tooLongMessage = noteTooLongMessage(text)
    if (tooLongMessage !== null) return setError('body', { message: tooLongMessage })
    // Resets first, because submitting an edit unmounts the form. The reset also deletes the draft.
    reset(initial)
    // The phone's keyboard would cover the new entry.
    if (isPhone && !isEdit) collapse()
    const acceptance = onSubmit({ kind: chosen, body: text, occurred_at: chosen === 'note' ? null : momentOf(when) })
    // The text of a refused new note returns to the field, unless the person has begun the next one. A refused edit has no field left: its caller
    // stores the text as a draft.
    if (!(await acceptance) && getValues('body') === initial.body) reset(typed, { keepDefaultValues: true })
  }
  const submitForm = handleSubmit(send)

  function choose(chosen: NoteKind) {
    setValue('kind', chosen)
    if (chosen !== 'note' && getValues('when') === '') setValue('when', typedTextOf(new Date().toISOString()))
  }

  function collapse() {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    if (getValues('body') === '') reset(initial)
    setUsed(false)
  }

  return (
    <form
      ref={formElement}
      onSubmit={(event) => void submitForm(event)}
      onKeyDown={(event) => {
        // If the text field has the focus, it has submitted the form itself, and prevented the default.
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
        event.preventDefault()
        if (isComplete(kind, body)) void submitForm()
      }}
      onFocus={() => setUsed(true)}
      className="field-frame scroll-my-4 flex-col items-stretch!"
    >
      <Controller
        control={control}
        name="body"
        render={({ field }) => (
          <NoteField
            {...field}
            autoFocus={isEdit}
            aria-label={isEdit ? 'Edit note' : 'Write a note'}
            placeholder={kind === 'note' ? 'Write a note…' : 'Describe it, or log it without a text…'}
            isSmall={!isOpen}
            aria-invalid={bodyError ? true : undefined}
            aria-describedby={bodyError ? errorId : undefined}
            onSubmit={() => void submitForm()}
            onCancel={onCancel ?? collapse}
            onMentions={setMentionedPeople}
          />
        )}
      />
      {isOpen && (
        <div className="flex flex-wrap items-center gap-2 px-2 pb-2">
          <NoteKindChoice value={kind} onChange={choose} />
          {kind !== 'note' && (
            <Controller
              control={control}
              name="when"
              render={({ field }) => (
                <DateInput
                  fieldRef={field.ref}
                  text={field.value}
                  onText={field.onChange}
                  onLeave={field.onChange}
                  withTime
                  afloat
                  aria-label="When"
                  aria-invalid={timeError ? true : undefined}
                  aria-describedby={timeError ? errorId : undefined}
                  className="h-8 min-w-44 flex-1 max-sm:h-11 max-sm:min-w-60"
                  inputClass="pl-2.5 pr-1 text-13 max-sm:text-base"
                />
              )}
            />
          )}
          <span className="ml-auto flex gap-2">
            {onCancel && (
              <Button
                onClick={() => {
                  reset(initial)
                  onCancel()
                }}
              >
                Cancel
              </Button>
            )}
            <Button type="submit" variant="primary" disabled={!isComplete(kind, body)} keys={<SubmitKeys />}>
              {submit(kind)}
            </Button>
          </span>
          {body.length >= limits.notes.body && (
            <p role="status" className="w-full px-1 text-xs text-warn max-sm:text-sm">
              A note has at most {formatCount(limits.notes.body)} characters. What is beyond was left out.
            </p>
          )}
          {(timeError ?? bodyError) && (
            <p id={errorId} role="alert" className="w-full px-1 text-xs text-danger max-sm:text-sm">
              {timeError ?? bodyError}
            </p>
          )}
        </div>
      )}
    </form>
  )
}
