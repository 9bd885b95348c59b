import './app.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followTheme } from '#web/lib/theme.ts'
import { prepareLiveRegions } from '#web/ui/live-region.ts'
import { showKeptToast } from '#web/ui/toast.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { router } from './routes.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

followTheme()
prepareLiveRegions()
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
    <Toaster />
  </StrictMode>,
)
showKeptToast()
