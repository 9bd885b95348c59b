import { type ReactNode, useRef } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import { copyLink } from './copy-link.ts'
import { IconButton } from './icon-button.tsx'
import { BackIcon, CloseIcon, LinkIcon, MoreIcon } from './icons.tsx'
import { Menu } from './menu.tsx'
import { usePanelFocus } from './use-panel-focus.ts'

export interface PanelProps {
  /** The kind of content: 'Deal'. It is the text in the panel's head and the panel's accessible name. */
  kind: string
  /** The id of the content. When it changes, the panel gets the focus again. */
  contentKey: string
  onClose: () => void
  /** The id of the element that gets the focus when the panel closes: the row or card that opened the panel. */
  returnTo: string
  /** The items of the menu in the head. Without items there is no menu. */
  menu?: ReactNode
  /** Buttons in the head, before the button that copies the link. */
  actions?: ReactNode
  /** The line at the bottom of the panel. On the phone and in low windows it follows the content. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * A panel with details beside a list, which stays usable. In windows narrower than 1024 px it lies over the list; on the phone it is a
 * full page. Escape, the cross and Back close it; the key `e` edits its first field.
 */
export function Panel({ kind, contentKey, onClose, returnTo, menu, actions, footer, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null)
  const isFooterScrolled = useNarrow('(width < 40rem), (max-height: 30rem)')
  usePanelFocus({ panel, contentKey, returnTo, onClose })
  useShortcut('e', () => panel.current?.querySelector<HTMLElement>('[data-in-place]')?.click())
  return (
    <aside
      ref={panel}
      aria-label={kind}
      tabIndex={-1}
      data-panel=""
      className={cx(
        'rise flex h-full w-100 shrink-0 flex-col border-l border-line bg-bg outline-none 2xl:w-110',
        'max-lg:fixed max-lg:top-13 max-lg:right-0 max-lg:bottom-0 max-lg:z-20 max-lg:h-auto max-lg:shadow-dialog',
        'max-sm:inset-0 max-sm:bottom-[calc(3.5rem+1px+env(safe-area-inset-bottom))] max-sm:w-auto max-sm:border-0 max-sm:shadow-none max-sm:pt-[env(safe-area-inset-top)]',
      )}
    >
      <header className="flex h-13 shrink-0 items-center gap-1 border-b border-line pr-3 pl-6 max-sm:h-15 max-sm:border-0 max-sm:px-1">
        <IconButton
          label="Back"
          tooltip={false}
          icon={<BackIcon className="max-sm:size-5" />}
          onClick={onClose}
          className="sm:hidden"
        />
        <span className="mr-auto text-ink2 max-sm:sr-only">{kind}</span>
        <span className="flex-1 sm:hidden" />
        {actions}
        <IconButton
          label="Copy link"
          icon={<LinkIcon className="max-sm:size-5" />}
          onClick={() => void copyLink(location.href)}
        />
        {menu && (
          <Menu label={kind} trigger={<IconButton label="More" icon={<MoreIcon className="max-sm:size-5" />} />}>
            {menu}
          </Menu>
        )}
        <IconButton label="Close" shortcut="Esc" icon={<CloseIcon />} onClick={onClose} className="max-sm:hidden" />
      </header>
      <div className="relative flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto px-6 pt-6 pb-8 *:shrink-0 max-sm:px-4 max-sm:pt-1">
        {children}
        {footer && isFooterScrolled && <footer className="mt-auto text-ink3 text-xs">{footer}</footer>}
      </div>
      {footer && !isFooterScrolled && (
        <footer className="shrink-0 border-t border-line px-6 py-3 text-xs text-ink3">{footer}</footer>
      )}
    </aside>
  )
}
