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
import { useBackCloses } from './use-back-closes.ts'
import { useListKeys } from './use-list-keys.ts'
import { usePointerPath } from './use-pointer-path.ts'
import { type PopupPlace, useCloseFromOutside, usePopup } from './use-popup.ts'

interface TriggerProps {
  onClick?: (event: MouseEvent<HTMLElement>) => void
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
  'aria-controls'?: string
}

export interface MenuProps {
  /** The button that opens the menu (Button or IconButton). */
  trigger: ReactElement<TriggerProps>
  /** The menu's accessible name. */
  label: string
  align?: 'start' | 'end'
  children: ReactNode
  /** Called when the menu opens and when it closes, so that a button that is visible only under the pointer can stay visible. */
  onOpenChange?: (open: boolean) => void
}

/**
 * Which item gets the focus when a menu opens: the first (0) or the last (-1). Null for a submenu that opened under the pointer: no item gets the
 * focus. In `Menu`, null means that the menu is closed.
 */
type FirstFocus = 0 | -1 | null

/** The submenu that is open, by the id of the item that opens it. Null if none is open. */
type OpenSubmenu = { item: string; start: FirstFocus } | null

const CloseContext = createContext<(restoreFocus: boolean) => void>(() => {})
const SubmenuContext = createContext<[OpenSubmenu, (to: OpenSubmenu) => void]>([null, () => {}])

/**
 * A menu button and its menu, after the ARIA Authoring Practices. Arrow keys, Home, End and letters move between the items; Escape and
 * Back return to the button; Tab closes the menu and moves to what follows the button. Its items are MenuItem, MenuSeparator and Submenu.
 */
export function Menu({ trigger, label, align = 'end', children, onOpenChange }: MenuProps) {
  const [start, setStart] = useState<FirstFocus>(null)
  const id = useId()
  const button = useRef<HTMLElement>(null)
  const show = (to: FirstFocus) => {
    setStart(to)
    onOpenChange?.(to !== null)
  }
  const close = (restoreFocus: boolean) => {
    show(null)
    if (restoreFocus) button.current?.focus({ preventScroll: true })
  }
  return (
    <>
      {/* oxlint-disable-next-line react/refs -- the ref is set by the handlers, which run after the render */}
      {cloneElement(trigger, {
        'aria-haspopup': 'menu',
        'aria-expanded': start !== null,
        'aria-controls': start === null ? undefined : id,
        onClick: (event: MouseEvent<HTMLElement>) => {
          button.current = event.currentTarget
          show(start === null ? 0 : null)
        },
        onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          button.current = event.currentTarget
          show(event.key === 'ArrowDown' ? 0 : -1)
        },
      })}
      {start !== null && (
        <CloseContext value={close}>
          <MenuPanel id={id} label={label} anchor={button} place={{ align }} start={start} onClose={close}>
            {children}
          </MenuPanel>
        </CloseContext>
      )}
    </>
  )
}

interface PanelProps {
  id: string
  label: string
  anchor: RefObject<HTMLElement | null>
  place: PopupPlace
  start: FirstFocus
  onClose: (restoreFocus: boolean) => void
  /** True for a submenu. ArrowLeft closes it. */
  sub?: boolean
  children: ReactNode
}

function MenuPanel({ id, label, anchor, place, start, onClose, sub = false, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<OpenSubmenu>(null)
  const indexForKey = useListKeys(true)
  usePopup(true, anchor, panel, place)
  useCloseFromOutside(!sub, [panel, anchor], () => onClose(false))
  useBackCloses(!sub, () => onClose(true))
  useEffect(() => {
    if (start !== null) focusItem(itemsOf(panel.current).at(start))
  }, [start])
  const pointerPath = usePointerPath((item) => {
    item.focus({ preventScroll: true })
    if (item.getAttribute('aria-expanded') === 'false') setOpen({ item: item.id, start: null })
  })
  return (
    <div
      ref={panel}
      id={id}
      role="menu"
      aria-label={label}
      popover="manual"
      className="rise w-max min-w-44 max-w-[min(20rem,100vw-1rem)] overflow-y-auto rounded-card bg-raised p-1.5 text-sm shadow-pop outline-none"
      onFocus={({ target }) => {
        // A submenu stays open while the focus is in it or on its item.
        if (!itemsOf(panel.current).includes(target)) return
        setOpen((now) => (now?.item === target.id ? { item: target.id, start: null } : null))
      }}
      onPointerMove={pointerPath.move}
      onPointerLeave={pointerPath.stop}
      onKeyDown={(event) => {
        pointerPath.stop()
        // The event bubbles, so each surrounding menu closes, too. The button of the outermost menu gets the focus, and Tab moves on from there.
        if (event.key === 'Tab') return onClose(!sub)
        event.stopPropagation()
        if (event.key === 'Escape' || (sub && event.key === 'ArrowLeft')) {
          event.preventDefault()
          return onClose(true)
        }
        const items = itemsOf(panel.current)
        const focusedIndex = items.findIndex((item) => item === document.activeElement)
        const to = indexForKey(event, items.map(optionOf), focusedIndex)
        if (to === null) return
        event.preventDefault()
        focusItem(items[to])
      }}
    >
      <SubmenuContext value={[open, setOpen]}>{children}</SubmenuContext>
    </div>
  )
}

export interface MenuItemProps {
  icon?: ReactNode
  onSelect: () => void
  /** True for an item that deletes or removes something. Such an item is red. */
  danger?: boolean
  /** The keyboard shortcut of the item, shown at its end. The page handles it, not the menu. */
  shortcut?: string
  /** A grey text at the end, such as the current value. */
  hint?: ReactNode
  /** Whether this option is the chosen one. Only for an item that is one of several options. */
  checked?: boolean
  disabled?: boolean
  children: ReactNode
}

const itemClass =
  'flex h-8 w-full items-center gap-3 rounded-control px-2.5 text-left select-none outline-none hover:bg-hover focus:bg-hover aria-expanded:bg-hover aria-disabled:text-ink3 dark:hover:bg-active dark:focus:bg-active dark:aria-expanded:bg-active max-sm:h-12'

/** A command of a menu. First the menu closes and its button gets the focus, then `onSelect` runs. */
export function MenuItem({ icon, onSelect, danger, shortcut, hint, checked, disabled, children }: MenuItemProps) {
  const close = useContext(CloseContext)
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      aria-disabled={disabled || undefined}
      tabIndex={-1}
      className={cx(itemClass, danger ? 'text-danger' : 'text-ink')}
      onClick={() => {
        if (disabled) return
        close(true)
        onSelect()
      }}
    >
      {icon && <span className={cx('flex shrink-0', danger ? '' : 'text-ink2')}>{icon}</span>}
      <span data-label="" className="min-w-0 flex-1 truncate">
        {children}
      </span>
      {hint && <span className="num text-ink3">{hint}</span>}
      {shortcut && <Kbd>{shortcut}</Kbd>}
      {checked !== undefined && <CheckIcon className={checked ? 'text-accent-text' : 'invisible'} />}
    </button>
  )
}

/** An item that opens a submenu beside it: 'Move to'. */
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
  const [sub, setSub] = useContext(SubmenuContext)
  const id = useId()
  const item = useRef<HTMLButtonElement>(null)
  const open = sub?.item === id
  const show = () => setSub({ item: id, start: 0 })
  const close = (restoreFocus: boolean) => {
    setSub(null)
    if (restoreFocus) focusItem(item.current)
  }
  return (
    <>
      <button
        ref={item}
        id={id}
        type="button"
        role="menuitem"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? `${id}-menu` : undefined}
        tabIndex={-1}
        className={itemClass}
        onClick={show}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowRight') return
          event.preventDefault()
          show()
        }}
      >
        {icon && <span className="flex shrink-0 text-ink2">{icon}</span>}
        <span data-label="" className="min-w-0 flex-1 truncate">
          {label}
        </span>
        {hint && <span className="text-ink3">{hint}</span>}
        <ChevronRightIcon className="text-ink3" />
      </button>
      {open && (
        <MenuPanel
          id={`${id}-menu`}
          label={label}
          anchor={item}
          place={{ side: 'right', gap: 2 }}
          start={sub.start}
          onClose={close}
          sub
        >
          {children}
        </MenuPanel>
      )}
    </>
  )
}

/** A line between groups of items in a menu. */
export function MenuSeparator() {
  return <div role="separator" className="-mx-1.5 my-1.5 h-px bg-line dark:bg-line2" />
}

/** Returns the visible items of a menu, without the items of its submenus. */
function itemsOf(panel: HTMLElement | null): HTMLElement[] {
  const items = panel?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []
  return [...items].filter((item) => item.closest('[role=menu]') === panel && item.getClientRects().length > 0)
}

/** Returns an item as an option of `useListKeys`: its text without icon and hint, with which typed letters are compared. */
function optionOf(item: HTMLElement) {
  return { label: item.querySelector('[data-label]')?.textContent ?? '' }
}

function focusItem(item: HTMLElement | null | undefined): void {
  item?.focus({ preventScroll: true })
  item?.scrollIntoView({ block: 'nearest' })
}
