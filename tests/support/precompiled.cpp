// SPDX-License-Identifier: MIT
// Nothing of its own: the target that compiles this file carries the precompiled headers of the
// tests.
