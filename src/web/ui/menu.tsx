import {
  cloneElement,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { cx } from '#web/lib/class-names.ts'
import { CheckIcon, ChevronRightIcon } from './icons.tsx'
import { Kbd } from './kbd.tsx'
import { type PopupPlace, useOutside, usePopup } from './use-popup.ts'

interface TriggerProps {
  onClick?: (event: MouseEvent<HTMLElement>) => void
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
  'aria-controls'?: string
}

export interface MenuProps {
  /** The button that opens it (Button or IconButton). */
  trigger: ReactElement<TriggerProps>
  /** The menu's name for readers. */
  label: string
  align?: 'start' | 'end'
  children: ReactNode
  /** Told when it opens and closes: where the trigger shows only under the pointer. */
  onOpenChange?: (open: boolean) => void
}

const Close = createContext<(restoreFocus: boolean) => void>(() => {})

/** A menu of commands: arrows, Home, End, first letters; Escape returns to the button. Its items are MenuItem, MenuSeparator, Submenu. */
export function Menu({ trigger, label, align = 'end', children, onOpenChange }: MenuProps) {
  const [open, setOpenState] = useState(false)
  const id = useId()
  const button = useRef<HTMLElement>(null)
  const setOpen = (to: boolean) => {
    setOpenState(to)
    onOpenChange?.(to)
  }
  const close = (restoreFocus: boolean) => {
    setOpen(false)
    if (restoreFocus) button.current?.focus({ preventScroll: true })
  }
  return (
    <>
      {/* oxlint-disable-next-line react/refs -- the ref is set by the handlers, which run after the render */}
      {cloneElement(trigger, {
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onClick: (event: MouseEvent<HTMLElement>) => {
          button.current = event.currentTarget
          setOpen(!open)
        },
        onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          button.current = event.currentTarget
          setOpen(true)
        },
      })}
      {open && (
        <Close value={close}>
          <MenuPanel id={id} label={label} anchor={button} place={{ align }} onClose={close}>
            {children}
          </MenuPanel>
        </Close>
      )}
    </>
  )
}

interface PanelProps {
  id: string
  label: string
  anchor: RefObject<HTMLElement | null>
  place: PopupPlace
  onClose: (restoreFocus: boolean) => void
  /** ArrowLeft closes a submenu. */
  sub?: boolean
  children: ReactNode
}

function MenuPanel({ id, label, anchor, place, onClose, sub = false, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  usePopup(true, anchor, panel, place)
  useOutside(!sub, [panel, anchor], () => onClose(false))
  useEffect(() => {
    itemsOf(panel.current)[0]?.focus({ preventScroll: true })
  }, [])
  return (
    <div
      ref={panel}
      id={id}
      role="menu"
      aria-label={label}
      popover="manual"
      className="rise w-max min-w-44 max-w-80 overflow-y-auto rounded-card bg-raised p-1.5 text-sm shadow-pop outline-none"
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape' || (sub && event.key === 'ArrowLeft')) {
          event.preventDefault()
          onClose(true)
        } else if (event.key === 'Tab') {
          onClose(true)
        } else if (moveFocus(event.key, itemsOf(panel.current))) {
          event.preventDefault()
        }
      }}
    >
      {children}
    </div>
  )
}

export interface MenuItemProps {
  icon?: ReactNode
  onSelect: () => void
  /** Red: deletes. */
  danger?: boolean
  /** A key shown at the end. */
  shortcut?: string
  /** A quieter word at the end: the present value. */
  hint?: ReactNode
  /** One of several: its mark. */
  checked?: boolean
  disabled?: boolean
  children: ReactNode
}

const itemClass =
  'flex h-8 w-full items-center gap-3 rounded-control px-2.5 text-left select-none outline-none hover:bg-hover focus:bg-hover aria-expanded:bg-hover aria-disabled:text-ink3 dark:hover:bg-active dark:focus:bg-active dark:aria-expanded:bg-active max-sm:h-12'

/** A command of a menu. The menu closes, the focus is back on its button, and then it runs. */
export function MenuItem({ icon, onSelect, danger, shortcut, hint, checked, disabled, children }: MenuItemProps) {
  const close = useContext(Close)
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      aria-disabled={disabled || undefined}
      tabIndex={-1}
      className={cx(itemClass, danger ? 'text-danger' : 'text-ink')}
      onPointerMove={(event) => event.pointerType === 'mouse' && event.currentTarget.focus({ preventScroll: true })}
      onClick={() => {
        if (disabled) return
        close(true)
        onSelect()
      }}
    >
      {icon && <span className={cx('flex shrink-0', danger ? '' : 'text-ink2')}>{icon}</span>}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint && <span className="num text-ink3">{hint}</span>}
      {shortcut && <Kbd>{shortcut}</Kbd>}
      {checked !== undefined && <CheckIcon className={checked ? 'text-accent-text' : 'invisible'} />}
    </button>
  )
}

/** An item that opens a further menu at its side: 'Move to'. */
export function Submenu({
  icon,
  label,
  hint,
  children,
}: {
  icon?: ReactNode
  label: string
  hint?: ReactNode
  children: ReactNode
}) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const item = useRef<HTMLButtonElement>(null)
  const close = (restoreFocus: boolean) => {
    setOpen(false)
    if (restoreFocus) item.current?.focus({ preventScroll: true })
  }
  return (
    // The submenu stands inside, so that leaving the item for it is not leaving.
    <div onPointerLeave={() => setOpen(false)}>
      <button
        ref={item}
        type="button"
        role="menuitem"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        tabIndex={-1}
        className={itemClass}
        onPointerEnter={(event) => event.pointerType === 'mouse' && setOpen(true)}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowRight') return
          event.preventDefault()
          event.stopPropagation()
          setOpen(true)
        }}
      >
        {icon && <span className="flex shrink-0 text-ink2">{icon}</span>}
        <span className="min-w-0 flex-1 truncate">{label}</span>
        {hint && <span className="text-ink3">{hint}</span>}
        <ChevronRightIcon className="text-ink3" />
      </button>
      {open && (
        <MenuPanel id={id} label={label} anchor={item} place={{ side: 'right', gap: 2 }} onClose={close} sub>
          {children}
        </MenuPanel>
      )}
    </div>
  )
}

/** A line between groups. */
export function MenuSeparator() {
  return <div role="separator" className="-mx-1.5 my-1.5 h-px bg-line dark:bg-line2" />
}

function itemsOf(panel: HTMLElement | null): HTMLElement[] {
  const items = panel?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []
  return [...items].filter((item) => item.closest('[role=menu]') === panel)
}

function moveFocus(key: string, items: HTMLElement[]): boolean {
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = nextIndex(key, at, items)
  if (next === null) return false
  items[next]?.focus({ preventScroll: true })
  items[next]?.scrollIntoView({ block: 'nearest' })
  return true
}

function nextIndex(key: string, at: number, items: HTMLElement[]): number | null {
  if (key === 'ArrowDown') return (at + 1) % items.length
  if (key === 'ArrowUp') return (at - 1 + items.length) % items.length
  if (key === 'Home') return 0
  if (key === 'End') return items.length - 1
  if (key.length !== 1 || key === ' ') return null
  const order = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  const found = order.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
  return found ? items.indexOf(found) : null
}
