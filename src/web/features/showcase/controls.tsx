import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, RoundCheckbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ChevronRightIcon, PlusIcon, SearchIcon } from '#web/ui/icons.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import { Menu, MenuItem, MenuSeparator, Submenu } from '#web/ui/menu.tsx'
import { Segments, TabPanel } from '#web/ui/tabs.tsx'
import { WordTabs } from '#web/ui/word-tabs.tsx'
import { toast } from '#web/ui/toast.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { focusRingClasses, StateRow } from './state-row.tsx'

/** Interactive parts: buttons, menus, checkboxes, tabs, and the layers that they open. */
export function Controls({ id }: { id: string }) {
  return (
    <>
      <StateRow title="Buttons: primary, default, quiet, danger; hover, focus, pending, disabled">
        <Button variant="primary" icon={<PlusIcon />} keys={<Kbd on="accent">n</Kbd>}>
          New Deal
        </Button>
        <Button>Import CSV</Button>
        <Button variant="quiet">Cancel</Button>
        <Button variant="danger">Delete</Button>
        <Button variant="primary" className="bg-accent-hover!">
          Hover
        </Button>
        <Button className={focusRingClasses}>Focus</Button>
        <Button variant="primary" pending>
          Saving
        </Button>
        <Button disabled>Disabled</Button>
      </StateRow>
      <StateRow title="Sizes: control, form, sign-in; icon buttons">
        <Button>Control</Button>
        <Button size="form">Form</Button>
        <Button size="sign-in">Sign in</Button>
        <IconButton label="Search" icon={<SearchIcon />} />
        <IconButton label="Next" icon={<ChevronRightIcon />} variant="default" />
        <IconButton label="Add" icon={<PlusIcon />} variant="primary" />
        <IconButton label="Pending" icon={<PlusIcon />} variant="default" pending />
      </StateRow>
      <StateRow title="Checkbox, task check, keys">
        <Checkbox label="Off" />
        <Checkbox label="On" defaultChecked />
        <Checkbox label="Focus" className={`rounded-[4px] ${focusRingClasses}`} />
        <Checkbox label="Disabled" disabled />
        <RoundCheckbox label="Open" />
        <RoundCheckbox label="Done" defaultChecked />
        <Kbd>n</Kbd>
        <Kbd>/</Kbd>
        <Kbd>Esc</Kbd>
      </StateRow>
      <StateRow title="Menu, tooltip, dialog, toasts">
        <Menu trigger={<Button>Menu</Button>} label="Deal" align="start">
          <MenuItem onSelect={() => {}} shortcut="e">
            Edit
          </MenuItem>
          <Submenu label="Move to">
            <MenuItem onSelect={() => {}} checked>
              Proposal
            </MenuItem>
            <MenuItem onSelect={() => {}} checked={false}>
              Won
            </MenuItem>
          </Submenu>
          <MenuItem onSelect={() => {}} disabled>
            Not now
          </MenuItem>
          <MenuSeparator />
          <MenuItem onSelect={() => {}} danger>
            Delete
          </MenuItem>
        </Menu>
        <Tooltip text="New Deal" shortcut="n">
          <Button>Tooltip</Button>
        </Tooltip>
        <DialogExample />
        <Button onClick={() => toast.success('Deal moved successfully', { action: { label: 'Undo', run: () => {} } })}>
          Toast
        </Button>
        <Button onClick={() => toast.error('Error moving deal', { description: 'Stage no longer exists.' })}>
          Error toast
        </Button>
      </StateRow>
      <TabExamples id={id} />
    </>
  )
}

function DialogExample() {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Dialog</Button>
      <Dialog
        open={open}
        onClose={close}
        title="Delete deal"
        description="2 tasks keep their text and lose their link to it."
        width="small"
        footer={
          <>
            <Button size="form" onClick={close}>
              Cancel
            </Button>
            <Button size="form" variant="danger" onClick={close}>
              Delete
            </Button>
          </>
        }
      />
    </>
  )
}

function TabExamples({ id }: { id: string }) {
  const [tab, setTab] = useState<'brand' | 'security'>('brand')
  const [segment, setSegment] = useState<'in' | 'up'>('in')
  return (
    <>
      <StateRow title="Tabs" className="block!">
        <WordTabs
          id={`${id}-tabs`}
          label="Settings"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'brand', label: 'Brand' },
            { value: 'security', label: 'Security' },
          ]}
        />
        <TabPanel id={`${id}-tabs`} value={tab} className="pt-2 text-ink2">
          What the tab {tab} shows
        </TabPanel>
      </StateRow>
      <StateRow title="Segments" className="block!">
        <Segments
          id={`${id}-segments`}
          label="Account"
          value={segment}
          onChange={setSegment}
          tabs={[
            { value: 'in', label: 'Sign In' },
            { value: 'up', label: 'Sign Up' },
          ]}
        />
        <TabPanel id={`${id}-segments`} value={segment} className="pt-2 text-ink2">
          {segment === 'in' ? 'Welcome back' : 'Create account'}
        </TabPanel>
      </StateRow>
    </>
  )
}
