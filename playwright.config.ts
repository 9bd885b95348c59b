import { defineConfig } from '@playwright/test'

/** Arguments for Debian's Chromium. Root cannot use the sandbox. The browser's own requests are off, because a closed network refuses them. */
const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: process.env.BANYAN_LONG === '1' ? 'tests/long' : 'tests/e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './tests/harness/global-setup.ts',
  outputDir: '.cache/test-results',
  // Tests mostly wait (animations, polling): three workers share two cores well.
  workers: 3,
  fullyParallel: false,
  forbidOnly: true,
  retries: process.env.CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    // A service worker would fetch the whole app in each test. Tests of the service worker allow it.
    serviceWorkers: 'block',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    trace: 'on-first-retry',
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: chromiumArguments },
  },
})
