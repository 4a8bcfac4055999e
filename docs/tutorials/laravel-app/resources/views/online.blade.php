<!doctype html>
<html lang="en">
  <title>Shop</title>
  @auth
    <p>You are {{ auth()->user()->name }}.</p>
    <p id="online">Connecting…</p>
    @vite('resources/js/app.js')
  @else
    <p>Open <a href="/as/Ada">/as/Ada</a> to sign in.</p>
  @endauth
</html>
