// SPDX-License-Identifier: MIT
#include "throughput/workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "fashion-mnist/rivals.hpp"
#include "images/pixels.hpp"
#include "images/rivals.hpp"
#include "null/rivals.hpp"
#include "throughput/python.hpp"
#include "throughput/torch_data.hpp"

#include <forklift/datasets/fashion_mnist.hpp>

namespace bench {
namespace {

using Make = std::function<Contender()>;

bool is_wanted(const Settings& settings, const std::string& rival) {
  return std::find(settings.against.begin(), settings.against.end(), rival) !=
         settings.against.end();
}

void add_forked(Workload& workload, const std::string& name, Make make) {
  workload.loaders.push_back(
      {name, [make = std::move(make)] { return RivalProcess::fork_one(make); }});
}

void add_torch_data(Workload& workload, const std::vector<TorchSetting>& torch_settings) {
  for (const TorchSetting& setting : torch_settings) {
    add_forked(workload, setting.name, setting.make);
  }
  if (!has_torch_data()) {
    workload.left_out.emplace_back("torch_data: built without libtorch");
  }
}

void add_pytorch(Workload& workload, const Settings& settings, const std::string& argument) {
  const auto python = python_interpreter(settings.python);
  const auto script = bench_folder() / workload.name / "pytorch.py";
  for (const auto& [name, variant] :
       {std::pair{"pytorch", "sample"}, std::pair{"pytorch_best", "best"}}) {
    auto start = [python, script, word = variant + argument] {
      return RivalProcess::run_python(python, script, word);
    };
    workload.loaders.push_back({name, std::move(start), true});
  }
}

/// Forklift and the rivals that were asked for. `argument` is appended to the variant that a Python
/// script gets.
void add_loaders(Workload& workload,
                 const Settings& settings,
                 const std::pair<Make, Make>& forklift_and_raw,
                 const std::vector<TorchSetting>& torch_settings,
                 const std::string& argument) {
  workload.reference = forklift_and_raw.second;
  add_forked(workload, "forklift", forklift_and_raw.first);
  if (is_wanted(settings, "raw")) {
    add_forked(workload, "raw", forklift_and_raw.second);
  }
  if (is_wanted(settings, "torch_data")) {
    add_torch_data(workload, torch_settings);
  }
  if (is_wanted(settings, "pytorch")) {
    add_pytorch(workload, settings, argument);
  }
}

Workload null_workload(const Settings& settings) {
  Workload out;
  out.name = "null";
  out.description = "a number (i64)";
  out.bytes_per_sample = sizeof(std::int64_t);
  add_loaders(out, settings, {null_forklift, null_raw}, null_torch_data(), "");
  return out;
}

Workload fashion_mnist_workload(const Settings& settings) {
  const auto set = std::make_shared<const forklift::datasets::FashionMnist>(settings.data);
  const FashionPixels pixels{set->images().data<const std::uint8_t>(),
                             set->labels().data<const std::uint8_t>()};
  Workload out;
  out.name = "fashion-mnist";
  out.description = "1x28x28 u8 to normalised f32, and a label";
  out.default_batch_size = 64;
  out.bytes_per_sample = kFashionPixels * sizeof(float) + sizeof(std::int64_t);
  // Half a unit in the last place of values around 2, for each pixel.
  out.sum_tolerance_per_sample = 1.2e-7 * static_cast<double>(kFashionPixels);
  add_loaders(out,
              settings,
              {[set, pixels] { return fashion_mnist_forklift(pixels); },
               [set, pixels] { return fashion_mnist_raw(pixels); }},
              fashion_mnist_torch_data(pixels),
              fmt::format(":{}", settings.data.string()));
  return out;
}

Workload images_workload(const Settings& settings) {
  const auto store = std::make_shared<std::vector<std::uint8_t>>(make_images());
  Workload out;
  out.name = "images";
  out.description = "3x224x224 u8 copied from memory, and a label";
  out.default_batch_size = 64;
  out.bytes_per_sample = kImageBytes + sizeof(std::int64_t);
  add_loaders(out,
              settings,
              {[store] { return images_forklift(*store); }, [store] { return images_raw(*store); }},
              images_torch_data(*store),
              "");
  return out;
}

}  // namespace

Workload make_workload(const std::string& name, const Settings& settings) {
  if (name == "null") {
    return null_workload(settings);
  }
  return name == "images" ? images_workload(settings) : fashion_mnist_workload(settings);
}

}  // namespace bench
