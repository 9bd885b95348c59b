import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type Person, usePeople } from '#web/data/people/people.ts'
import { isComposing } from '#web/lib/is-composing.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { useActiveOption } from '#web/ui/use-active-option.ts'
import { usePopup } from '#web/ui/use-popup.ts'
import { afterEdit, isNameMatch, mentionAt, type MentionedPerson, mentionName, withChosen } from './mentions.ts'

const maxOptions = 6

type FieldProps = Pick<
  ComponentProps<'textarea'>,
  'aria-autocomplete' | 'aria-haspopup' | 'aria-controls' | 'aria-activedescendant' | 'onInput' | 'onClick'
>

/** Returns the people who are mentioned in a text after a choice or an edit. `mentioned`: the people who were mentioned before. */
export type ChangeMentions = (mentioned: readonly MentionedPerson[]) => readonly MentionedPerson[]

/**
 * Completes the names of members in a textarea: '@' opens the list, arrow keys select, Enter and Tab insert, Escape closes. Spread `field`
 * into the textarea and render `list` beside it. `onKeyDown` returns true if the list handled the key. Call `close` on blur. `onMentions` is
 * called with a function that returns the mentioned people after a choice or an edit.
 */
export function useMentions(
  textarea: RefObject<HTMLTextAreaElement | null>,
  onMentions: (change: ChangeMentions) => void,
): {
  field: FieldProps
  list: ReactNode
  onKeyDown: (event: KeyboardEvent) => boolean
  close: () => void
} {
  const { members } = usePeople()
  const [typed, setTyped] = useState<{ start: number; name: string } | null>(null)
  const popup = useRef<HTMLDivElement>(null)
  const matchingMembers = typed
    ? members.filter(({ name, isMe }) => !isMe && isNameMatch(name, typed.name)).slice(0, maxOptions)
    : []
  const isOpen = matchingMembers.length > 0
  const active = useActiveOption(isOpen, matchingMembers.length)
  const at = Math.max(active.at, 0)
  usePopup(isOpen, textarea, popup)
  const lastText = useRef('')
  useLayoutEffect(() => {
    lastText.current = textarea.current?.value ?? ''
  })
  const followEdit = () => {
    const element = textarea.current
    if (!element) return
    const [before, after, caret] = [lastText.current, element.value, element.selectionEnd]
    lastText.current = after
    onMentions((mentioned) => afterEdit(mentioned, before, after, caret))
  }
  const updateTyped = () => {
    const element = textarea.current
    if (element) setTyped(mentionAt(element.value, element.selectionEnd))
    active.lead(0)
  }
  const take = (person: Person) => {
    const element = textarea.current
    // The caret may have been moved by a key since the last input.
    const mention = element && mentionAt(element.value, element.selectionEnd)
    if (!element || !mention) return setTyped(null)
    onMentions((mentioned) => withChosen(mentioned, person, mention.start))
    element.setRangeText(`@${mentionName(person.name)} `, mention.start, element.selectionEnd, 'end')
    // The form must know about the change, as if the person had typed.
    element.dispatchEvent(new Event('input', { bubbles: true }))
    setTyped(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = matchingMembers[at]
    if (!chosen || event.ctrlKey || event.metaKey || isComposing(event)) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) active.lead((at + step + matchingMembers.length) % matchingMembers.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(chosen)
    else if (event.key === 'Escape') setTyped(null)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const field = {
    'aria-autocomplete': 'list' as const,
    'aria-haspopup': 'listbox' as const,
    'aria-controls': active.field['aria-controls'],
    'aria-activedescendant': isOpen ? `${active.list.id}-${at}` : undefined,
    onInput: () => {
      followEdit()
      updateTyped()
    },
    onClick: updateTyped,
  }
  const list = isOpen && (
    <div
      ref={popup}
      {...active.list}
      aria-label="Members"
      popover="manual"
      className="rise min-w-52 max-w-[min(20rem,100vw-1rem)] rounded-card bg-raised p-1.5 text-sm text-ink shadow-pop"
    >
      {matchingMembers.map((person, index) => {
        const { className, ...option } = active.option(index, () => take(person))
        return (
          <div
            key={person.userId}
            {...option}
            className={index === at && active.at < 0 ? `${className} bg-hover` : className}
            aria-selected={index === at}
          >
            <Avatar name={person.name} size={20} />
            <span className="min-w-0 flex-1 truncate">{person.name}</span>
          </div>
        )
      })}
    </div>
  )
  return { field, list, onKeyDown, close: () => setTyped(null) }
}
